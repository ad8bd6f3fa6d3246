/// One step of the schema, as files of SQL that are built into the program.
public struct Migration: Sendable, Hashable {
  public let version: Int

  /// What the step is about.
  public let name: String
  public let sql: String

  /// The oldest program that may go on beside it, by the newest version that such a program knows.
  public let worksWith: Int

  /// The step of a version, from the bytes of its files, one after the other.
  ///
  /// A step that only adds what older programs need not know says since which version they `endure` it;
  /// of any other it is assumed that it breaks them, and they are refused at their next start.
  public init(_ version: Int, _ name: String, _ files: [UInt8]..., enduredSince oldest: Int? = nil)
  {
    self.version = version
    self.name = name
    sql = files.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    worksWith = oldest ?? version
  }

  /// What tells whether the files are still those that were applied.
  public var checksum: String {
    String(StableHash.of(sql), radix: 16)
  }
}
