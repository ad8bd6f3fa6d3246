/// Who works: one process on one host, never two alike, and what it was built and started from.
public struct WorkerName: Sendable, Hashable {
  /// The host, the process and a random word: a host's name alone may be another host's too.
  public let text: String
  public let host: String
  public let process: Int

  /// The program and its settings, which every run remembers.
  public let version: String
  public internal(set) var settingsHash: String

  public init(host: String, process: Int, version: String, settingsHash: String, word: UInt32) {
    text = "\(host):\(process):\(String(word, radix: 36))"
    self.host = host
    self.process = process
    self.version = version
    self.settingsHash = settingsHash
  }
}

extension WorkerName: CustomStringConvertible {
  public var description: String { text }
}
