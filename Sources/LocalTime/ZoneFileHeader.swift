/// The counts at the head of each half of a TZif file.
struct ZoneFileHeader {
  static let size = 44

  let version: UInt8
  let leapCount: Int
  let timeCount: Int
  let typeCount: Int
  private let otherSize: Int

  init(_ bytes: [UInt8], at start: Int) throws(ZoneFileError) {
    guard start > 0 || bytes.starts(with: Array("TZif".utf8)) else { throw .notAZoneFile }
    guard bytes.count >= start + Self.size else {
      throw .truncated(size: bytes.count, expected: start + Self.size)
    }
    guard bytes[start...].starts(with: Array("TZif".utf8)) else {
      throw .inconsistent("its second header is missing")
    }
    func count(_ index: Int) -> Int { bytes.bigEndian(at: start + 20 + 4 * index, size: 4) }
    version = bytes[start + 4]
    leapCount = count(2)
    timeCount = count(3)
    typeCount = count(4)
    otherSize = count(0) + count(1) + count(5)
    let counts = [count(0), count(1), leapCount, timeCount, typeCount, count(5)]
    guard counts.allSatisfy({ $0 >= 0 }) else { throw .inconsistent("a count is negative") }
  }

  /// The bytes that follow the header, when a time takes `wordSize` of them.
  func dataSize(wordSize: Int) -> Int {
    timeCount * (wordSize + 1) + typeCount * 6 + leapCount * (wordSize + 4) + otherSize
  }
}

extension [UInt8] {
  /// The signed number in `size` bytes, the most significant first.
  func bigEndian(at start: Int, size: Int) -> Int {
    let bits = self[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let unused = 64 - 8 * size
    return Int(Int64(bitPattern: bits << unused) >> unused)
  }
}
