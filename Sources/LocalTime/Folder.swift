import Glibc

/// The files of one folder, read whole; the only place of this module that calls the system.
struct Folder {
  let path: String

  /// Why a file could not be read, in the system's words.
  struct Failure: Error, Equatable {
    let reason: String

    static var latest: Failure {
      let code = errno
      return Failure(reason: unsafe String(cString: strerror(code)))
    }
  }

  var exists: Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The bytes of a file, which may be no larger than `limit`.
  func bytes(of name: String, limit: Int = 4 << 20) throws(Failure) -> [UInt8] {
    let descriptor = try opened(name)
    defer { close(descriptor) }
    var bytes = [UInt8]()
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw .latest }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else {
        throw Failure(reason: "larger than \(limit) bytes")
      }
      bytes += chunk[..<count]
    }
  }

  /// The first bytes of a file: enough for what its first line says.
  func beginning(of name: String) throws(Failure) -> [UInt8] {
    let descriptor = try opened(name)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw .latest }
    return Array(bytes[..<count])
  }

  private func opened(_ name: String) throws(Failure) -> Int32 {
    let descriptor = unsafe open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .latest }
    return descriptor
  }

  /// The names of what lies in a folder, in no order, without hidden ones.
  func entries(of name: String) -> [String] {
    guard let folder = unsafe opendir("\(path)/\(name)") else { return [] }
    defer { unsafe closedir(folder) }
    var entries = [String]()
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { characters in
          unsafe String(cString: characters)
        }
      }
      if !name.hasPrefix(".") { entries.append(name) }
    }
    return entries
  }
}
