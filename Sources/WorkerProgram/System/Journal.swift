internal import Glibc

/// The journal of this host, which keeps each field of an entry so that it can be asked for.
struct Journal: Sendable {
  /// The journal that standard error leads into, if it does.
  static let ofThisProcess = StandardStream.error.isJournal ? Journal() : nil

  private let sender: DatagramSender?

  /// The journal behind the socket at `path`.
  init(at path: String = "/run/systemd/journal/socket") {
    sender = DatagramSender(to: path, patience: .milliseconds(250))
  }

  /// Hands an entry over; false when the journal did not take it.
  func take(_ entry: [(name: String, value: String)]) -> Bool {
    sender?.send(Self.encoded(entry)) ?? false
  }

  /// Whether the journal has read all that it was handed.
  var isRead: Bool { sender?.isRead ?? true }

  /// Waits, before this process ends, until the journal knows whose the last entries are.
  ///
  /// It finds that out by the number of the process: without one, they would be nobody's, and missing in
  /// what the journal shows of the service.
  func settle() {
    let never = Latch()
    for _ in 0..<25 where !isRead { _ = never.happens(within: .milliseconds(10)) }
    // It has read them, and now looks.
    _ = never.happens(within: .milliseconds(30))
  }

  /// The entry as the journal's protocol writes it: a line for each field; before a value of many lines
  /// stands its length in eight bytes, the least first.
  static func encoded(_ entry: [(name: String, value: String)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, value) in entry {
      let text = Array(value.utf8)
      bytes += name.utf8
      if text.contains(UInt8(ascii: "\n")) {
        bytes.append(UInt8(ascii: "\n"))
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: text.count >> ($0 * 8)) }
      } else {
        bytes.append(UInt8(ascii: "="))
      }
      bytes += text
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  /// Whether `descriptor` leads into the journal, which says in `variable`, `$JOURNAL_STREAM`, which file
  /// it gave to this process.
  ///
  /// The variable is inherited, also by whoever writes elsewhere.
  static func isBehind(_ descriptor: Int32, by variable: String?) -> Bool {
    var file = stat()
    guard let variable, unsafe fstat(descriptor, &file) == 0 else { return false }
    return variable == "\(file.st_dev):\(file.st_ino)"
  }
}
