internal import Glibc
internal import TestSupport
internal import Testing

/// A real daemon that answers over HTTP, and a job of every second.
final class MonitoredDaemon {
  let rehearsal: Rehearsal
  let port: Int
  private(set) var process: ChildProcess

  /// Starts a daemon that answers on a free port, and waits until it is ready.
  init(_ settings: String = "", http: String = "", at host: String = "127.0.0.1") throws {
    rehearsal = try Rehearsal()
    port = try FreePort.find()
    try rehearsal.set("[http]\nlisten = \"\(host):\(port)\"\n\(http)\n\(settings)")
    process = try rehearsal.daemon()
    try awaitReadiness()
  }

  /// Ends the daemon and starts another.
  func restart() throws {
    process.send(SIGTERM)
    try process.status()
    process = try rehearsal.daemon()
    try awaitReadiness()
  }

  private func awaitReadiness() throws {
    do {
      try eventually { (try? status("/readyz")) == 200 }
    } catch {
      Issue.record("never ready; the log says: \(rehearsal.log.suffix(2000))")
      throw error
    }
  }

  /// All that is answered to a request.
  func answer(_ path: String, by method: String = "GET", _ headers: String = "") throws -> String {
    try HttpCall.send(HttpCall.request(path, by: method, headers), toPort: port)
  }

  func status(_ path: String, by method: String = "GET") throws -> Int? {
    Int(try answer(path, by: method).split(separator: " ", maxSplits: 2).dropFirst().first ?? "")
  }

  /// What stands behind the headers of an answer.
  func body(_ path: String, _ headers: String = "") throws -> String {
    let answer = try answer(path, by: "GET", headers)
    return answer.firstRange(of: "\r\n\r\n").map { String(answer[$0.upperBound...]) } ?? ""
  }

  /// The value of a figure, written with its labels.
  func figure(_ name: String) throws -> Double? {
    try body("/metrics").split(separator: "\n").first { $0.hasPrefix(name + " ") }
      .flatMap { Double($0.dropFirst(name.count + 1)) }
  }
}
