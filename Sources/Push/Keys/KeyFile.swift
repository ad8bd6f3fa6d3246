internal import Glibc

/// A key file, read once with all that keeps others from it and it from holding its reader.
enum KeyFile {
  /// A service account has 2,400 bytes, a key 250.
  static let longest = 65_536

  static func read(_ path: String, mayBeReadByGroup: Bool) throws(KeyFileError) -> Secret {
    // Without a wait for who writes into a pipe; what it is, is asked of what was opened.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw refusal(of: path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw refusal(of: path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .noFile(path: path) }
    let closed: mode_t = mayBeReadByGroup ? 0o137 : 0o177
    guard status.st_mode & closed == 0 else {
      throw .open(path: path, mode: status.st_mode & 0o777)
    }
    let bytes = try bytes(of: descriptor, path)
    guard bytes.count <= longest else { throw .long(path: path) }
    guard !bytes.isEmpty else { throw .empty(path: path) }
    return Secret(bytes)
  }

  /// Puts a file that its owner alone may use in the place of another, whole or not at all; it is no use to know why
  /// it could not.
  static func replace(_ path: String, by secret: Secret) {
    let draft = "\(path).\(getpid())"
    // What a process of this number left when it was killed.
    unsafe unlink(draft)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let descriptor = unsafe open(draft, flags, 0o600)
    guard descriptor >= 0 else { return }
    let count = unsafe secret.bytes.withUnsafeBytes { buffer in
      unsafe write(descriptor, buffer.baseAddress, buffer.count)
    }
    close(descriptor)
    guard count == secret.bytes.count, unsafe rename(draft, path) == 0 else {
      unsafe unlink(draft)
      return
    }
  }

  /// All that is in the file, or one byte more than a key may have.
  private static func bytes(of descriptor: Int32, _ path: String) throws(KeyFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: longest + 1)
    var end = 0
    while end < bytes.count {
      let count = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: end), buffer.count - end)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw refusal(of: path, errno) }
      guard count > 0 else { break }
      end += count
    }
    return Array(bytes[..<end])
  }

  private static func refusal(of path: String, _ number: Int32) -> KeyFileError {
    guard number != ENOENT else { return .absent(path: path) }
    let reason = unsafe String(cString: strerror(number))
    return .unreadable(path: path, reason: reason.prefix(1).lowercased() + reason.dropFirst())
  }
}
