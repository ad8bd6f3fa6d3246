internal import Glibc
internal import Synchronization

/// A journal's file, mapped into memory: what is written there outlives the process, however it ends.
///
/// Not so the host: what had not reached the disk when it lost its power is gone.
@safe struct JournalMemory: ~Copyable {
  private let start: UnsafeMutableRawPointer
  private let descriptor: Int32
  let path: String
  let places: Int

  private var bytes: Int { JournalLayout.headBytes + places * JournalLayout.placeBytes }

  /// Makes a new file; throws where the folder cannot hold it.
  init(at path: String, places: Int) throws(JournalError) {
    guard let boot = JournalLayout.boot() else {
      throw JournalError(description: "this host does not tell one start from another")
    }
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Self.failure("cannot make '\(path)'") }
    let bytes = JournalLayout.headBytes + places * JournalLayout.placeBytes
    // With its room on the disk: a write into a mapping that has none would end the process.
    let number = posix_fallocate(descriptor, 0, bytes)
    // Who looks for the journals of the dead holds it for a moment, and finds that it is none yet.
    let isHeld = number == 0 && flock(descriptor, LOCK_EX) == 0
    let start: UnsafeMutableRawPointer? =
      unsafe isHeld
      ? mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0) : nil
    guard let start = unsafe start, unsafe start != MAP_FAILED else {
      let failure = Self.failure("cannot hold \(bytes) bytes in '\(path)'", number)
      unsafe unlink(path)
      close(descriptor)
      throw failure
    }
    unsafe self.start = start
    (self.descriptor, self.path, self.places) = (descriptor, path, places)
    unsafe start.storeBytes(
      of: UInt64(places), toByteOffset: JournalLayout.placesAt, as: UInt64.self)
    for (place, byte) in boot.enumerated() {
      unsafe start.storeBytes(of: byte, toByteOffset: JournalLayout.bootAt + place, as: UInt8.self)
    }
    unsafe start.storeBytes(
      of: JournalLayout.magic, toByteOffset: JournalLayout.magicAt, as: UInt64.self)
  }

  deinit {
    unsafe munmap(start, bytes)
    // Said by itself: a child that is being started shares the lock until it becomes another program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Writes a push into a place of which nothing is known yet: that comes last, so that a place is never half a push.
  func prepare(_ place: Int, for key: JournalKey, order: UInt64) {
    clear(place)
    let offset = offset(of: place)
    for (index, byte) in key.bytes.enumerated() {
      unsafe start.storeBytes(
        of: byte, toByteOffset: offset + JournalLayout.keyAt + index, as: UInt8.self)
    }
    unsafe start.storeBytes(
      of: order, toByteOffset: offset + JournalLayout.orderAt, as: UInt64.self)
  }

  /// Writes what is known now of the push that is in a place.
  func change(_ place: Int, to note: JournalNote) {
    store(note.rawValue, at: offset(of: place) + JournalLayout.noteAt)
  }

  /// Marks the pushes in these places as leaving, by nothing but a store for each.
  func mark(_ places: [Int]) {
    for place in places { change(place, to: .leaving) }
  }

  /// Makes a place free.
  func clear(_ place: Int) {
    store(0, at: offset(of: place) + JournalLayout.noteAt)
  }

  /// Notes that a push was forgotten before its time: what is in no place says nothing any more.
  func noteLoss() {
    store(1, at: JournalLayout.hasLostAt)
  }

  /// Removes the file, while it stays mapped.
  func remove() {
    unsafe unlink(path)
  }

  private func offset(of place: Int) -> Int {
    JournalLayout.headBytes + place * JournalLayout.placeBytes
  }

  /// Stores so that nothing that was written before comes after it.
  private func store(_ number: UInt32, at offset: Int) {
    let word = unsafe start.advanced(by: offset).assumingMemoryBound(to: Atomic<UInt32>.self)
    unsafe word.pointee.store(number, ordering: .sequentiallyConsistent)
  }

  private static func failure(_ what: String, _ number: Int32 = errno) -> JournalError {
    let reason = unsafe String(cString: strerror(number == 0 ? errno : number))
    return JournalError(
      description: "\(what): \(reason.prefix(1).lowercased() + reason.dropFirst())")
  }
}
