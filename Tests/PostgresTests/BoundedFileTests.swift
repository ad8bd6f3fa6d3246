import Glibc
import Postgres
import TestSupport
import Testing

@Suite("A file that is read within a bound")
struct BoundedFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func refusal(_ path: String, within limit: Duration = .seconds(120)) -> String? {
    do throws(BoundedFile.Refused) {
      _ = try BoundedFile.read(path, atMost: 100, within: limit)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `a regular file is read, up to the bound of its size`() throws {
    let short = try folder.write("one line", to: "short")
    let long = try folder.write(String(repeating: "x", count: 1000), to: "long")

    #expect(try BoundedFile.read(short, atMost: 100) == Array("one line".utf8))
    #expect(try BoundedFile.read(long, atMost: 100).count == 100)
    #expect(try BoundedFile.read("/dev/null", atMost: 100) == [])
  }

  @Test func `what would hold its reader is refused at once`() throws {
    let pipe = "\(folder.path)/pipe"
    try ChildProcess.run("/usr/bin/mkfifo", [pipe])

    #expect(refusal(pipe) == "it is a named pipe: give a file, or a pipe as <(…) makes it")
    #expect(refusal("/dev/zero") == "it is a device: give a file")
    #expect(refusal(folder.path) == "Is a directory")
    #expect(refusal("\(folder.path)/none") == "No such file or directory")
    #expect(throws: BoundedFile.Refused.self) { try BoundedFile.check(pipe) }
    #expect(throws: Never.self) { try BoundedFile.check("\(folder.path)/none") }
  }

  @Test func `a pipe of this process is read to its end, and not twice`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { close(ends[0]) }
    _ = unsafe write(ends[1], "workers", 7)
    close(ends[1])

    #expect(try BoundedFile.read("/proc/self/fd/\(ends[0])", atMost: 100) == Array("workers".utf8))
    #expect(
      refusal("/proc/self/fd/\(ends[0])")
        == "nothing is in the pipe, which can be read only once: give a file")
  }

  @Test func `a pipe into which nobody writes is given up`() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }

    let told = refusal("/proc/self/fd/\(ends[0])", within: .milliseconds(50))

    #expect(["it could not be read within 50 ms", "Connection timed out"].contains(told))
  }

  @Test func `a disk that never answers is given up`() {
    let never = Occasion()

    let error = #expect(throws: BoundedFile.Refused.self) {
      try BoundedFile.bounded(within: .milliseconds(50)) { _ throws(BoundedFile.Refused) in
        never.wait()
      }
    }
    never.come()

    #expect(error?.description == "it could not be read within 50 ms")
  }

  @Test func `a file of libpq that would hold its reader is refused`() throws {
    let pipe = "\(folder.path)/pipe"
    try ChildProcess.run("/usr/bin/mkfifo", [pipe])

    let messages = try [PasswordSource.file(pipe), .file("/dev/zero")].map { source in
      var server = try Server("host=/nowhere")
      server.password = source
      return PostgresTests.refusal { try Connection(to: server) }?.description
    }
    try ChildProcess.run("/usr/bin/mkfifo", ["\(folder.path)/5ed36f99.r0"])
    let names = ["sslkey=\(pipe)", "sslcrldir=\(folder.path)"]
    let files = names.map { name in
      PostgresTests.refusal { try Connection(to: Server("host=/nowhere \(name)")) }?.description
    }

    #expect(
      messages == [
        "cannot read the password file '\(pipe)': it is a named pipe: give a file, or a pipe as <(…)"
          + " makes it",
        "cannot read the password file '/dev/zero': it is a device: give a file",
      ])
    for (name, message) in zip(["sslkey", "sslcrldir"], files) {
      #expect(
        message?.hasPrefix("cannot read the file of '\(name)': it is a named pipe") == true)
    }
  }
}

/// Something that has not happened yet.
private final class Occasion: Sendable {
  private let ends: [Int32]

  init() {
    var ends: [Int32] = [-1, -1]
    _ = unsafe pipe(&ends)
    self.ends = ends
  }

  deinit { ends.forEach { close($0) } }

  func come() { _ = unsafe write(ends[1], "x", 1) }

  func wait() {
    var byte: UInt8 = 0
    _ = unsafe read(ends[0], &byte, 1)
  }
}
