/// Who works: one process on one host, never two alike, and what it was built and started from.
public struct DaemonID: Sendable, Hashable {
  /// The host, the process and a random word: a host's name alone may be another host's too.
  public let text: String
  public let host: String
  public let process: Int

  /// The program and its settings, which every run remembers.
  public let version: String
  public package(set) var settingsHash: String

  /// The newest version of each schema that the program knows: what migrations must not break under it.
  public let schemas: [String: Int]

  public init(
    host: String, process: Int, version: String, settingsHash: String, word: UInt32,
    schemas: [String: Int] = [:]
  ) {
    text = "\(host):\(process):\(String(word, radix: 36))"
    self.host = host
    self.process = process
    self.version = version
    self.settingsHash = settingsHash
    self.schemas = schemas
  }
}

extension DaemonID: CustomStringConvertible {
  public var description: String { text }
}
