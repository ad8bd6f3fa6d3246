internal import CWorker

/// Whoever started this process as a service and wants to hear how it is, such as systemd.
///
/// It is told by datagrams to a socket whose name it leaves in the environment.
final class Supervisor: Sendable {
  /// How long it goes without a heartbeat before it ends this process; nothing when it does not watch.
  let patience: Duration?

  private let sender: DatagramSender

  /// The supervisor that these variables name; nothing when there is none.
  init?(_ variables: [String: String], process: Int) {
    guard let path = variables["NOTIFY_SOCKET"],
      let sender = DatagramSender(to: path, patience: .seconds(5))
    else { return nil }
    self.sender = sender
    let isMeant = variables["WATCHDOG_PID"].map { $0 == "\(process)" } ?? true
    let microseconds = variables["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
    patience = isMeant && microseconds > 0 ? .microseconds(microseconds) : nil
  }

  /// Says these things, all at once; a supervisor that does not listen misses them.
  func tell(_ news: [News]) {
    _ = sender.send(Array(news.map(\.text).joined(separator: "\n").utf8))
  }
}

extension Supervisor {
  /// What a service says of itself.
  enum News: Equatable {
    case ready
    case reloading
    case stopping
    case alive
    case moreTime(Duration)

    /// It may be silent for so long.
    case patience(Duration)
    case status(String)
  }
}

extension Supervisor.News {
  /// The words of the protocol.
  fileprivate var text: String {
    switch self {
    case .ready: "READY=1"
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonic_microseconds())"
    case .stopping: "STOPPING=1"
    case .alive: "WATCHDOG=1"
    case .moreTime(let time): "EXTEND_TIMEOUT_USEC=\(Int64(time / .microseconds(1)))"
    case .patience(let time): "WATCHDOG_USEC=\(Int64(time / .microseconds(1)))"
    // A line break would begin another word of the protocol.
    case .status(let text): "STATUS=\(String(text.map { $0.isNewline ? " " : $0 }))"
    }
  }
}

extension Environment {
  /// What a supervisor leaves for the processes that it starts.
  static var ofSupervisor: [String: String] {
    values(of: ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC"])
  }
}
