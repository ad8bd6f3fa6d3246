import HTTP2
import TestSupport

/// A server on a library that nobody here wrote, which refuses whatever HTTP/2 forbids.
struct StrictServer {
  let port: Int
  let authorities: String
  private let process: ChildProcess
  private let output: String

  /// Starts it with one of its faults, at every fiftieth push; about so many milliseconds later it answers.
  init(_ fault: String, answersAfter milliseconds: Int = 0, in folder: ScratchFolder) throws {
    let certificate = try Certificate(for: "push.example", in: folder)
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    let (port, output) = (try FreePort.find(), "\(folder.path)/output")
    process = try ChildProcess(
      ".build/oracles/python/bin/python",
      [
        "-u", "/\(root)/Tests/push/strict.py", "\(port)", certificate.certificate,
        certificate.key, fault, "50", "\(milliseconds)",
      ], output: output)
    (self.port, self.output, authorities) = (port, output, certificate.authority)
    try eventually { try TextFile.read(output).contains("ready") }
  }

  var origin: Origin { Self.origin(port: port, authorities: authorities) }

  static func origin(port: Int, authorities: String) -> Origin {
    Origin(
      host: "push.example", port: UInt16(port), address: "127.0.0.1", authorities: authorities)
  }

  /// Ends it; returns what it says of the pushes that it got.
  func end() throws -> String {
    process.send(15)
    try process.status()
    return try TextFile.read(output)
  }
}
