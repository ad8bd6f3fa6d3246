import TestSupport

/// A receiver of messages on 127.0.0.1, in a process of its own, that a test can look into.
final class WebReceiver {
  let port: String
  private let folder: ScratchFolder
  private let process: ChildProcess

  /// Begins to listen; with an `identity`, over TLS.
  init(identity: Certificate? = nil) throws {
    folder = try ScratchFolder()
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    process = try ChildProcess(
      "/usr/bin/env",
      ["python3", "/\(root)/Tests/notify/receiver.py", folder.path]
        + (identity.map { [$0.certificate, $0.key] } ?? []),
      output: "\(folder.path)/log")
    let file = "\(folder.path)/port"
    try eventually { (try? TextFile.read(file)) != nil }
    port = try TextFile.read(file)
  }

  /// Answers with this status from now on.
  func answer(_ status: Int) throws {
    try folder.write("\(status)", to: "status")
  }

  /// What it got, a line of JSON for each request.
  var requests: [Substring] {
    ((try? TextFile.read("\(folder.path)/requests")) ?? "").split(separator: "\n")
  }
}
