@testable import LocalTime

/// The answers of Python's zoneinfo, as Tests/oracles/zones.py writes them.
struct ZoneOracle {
  /// Zones whose files are equal, and what is true of each of them.
  struct Group {
    let names: [String]
    /// Instant and offset.
    let offsets: [[Int]]
    /// Local time and the instant of it.
    let locals: [[Int]]
    /// Day, start of day, day before, and whether it exists.
    let days: [[Int]]
  }

  let groups: [Group]

  init(readingFrom folder: String) throws {
    let bytes = try Folder(path: folder).bytes(of: "zones.bin", limit: 1 << 30)
    var words = WordReader(bytes)
    var groups = [Group]()
    while !words.isAtEnd { groups.append(words.group()) }
    self.groups = groups
  }
}

/// Reads signed 64-bit words, little-endian.
private struct WordReader {
  private let words: [Int]
  private var position = 0

  init(_ bytes: [UInt8]) {
    words = unsafe bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - 7, by: 8).map { start in
        Int(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: start, as: Int.self))
      }
    }
  }

  var isAtEnd: Bool { position >= words.count }

  mutating func group() -> ZoneOracle.Group {
    let count = word()
    return ZoneOracle.Group(
      names: (0..<count).map { _ in text() }, offsets: rows(of: 2), locals: rows(of: 2),
      days: rows(of: 4))
  }

  private mutating func word() -> Int {
    defer { position += 1 }
    return words[position]
  }

  private mutating func text() -> String {
    let length = word()
    let bytes = (0..<(length + 7) / 8).flatMap { _ in
      let word = UInt64(bitPattern: Int64(word()))
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
    }
    return String(decoding: bytes.prefix(length), as: UTF8.self)
  }

  private mutating func rows(of width: Int) -> [[Int]] {
    let count = word()
    return (0..<count).map { _ in (0..<width).map { _ in word() } }
  }
}
