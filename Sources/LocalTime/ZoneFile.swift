/// The 64-bit part of a TZif file of version 2 or later (RFC 9636).
struct ZoneFile {
  private let bytes: [UInt8]
  private let header: ZoneFileHeader
  /// Where the 64-bit data begins.
  private let start: Int

  init(_ bytes: [UInt8]) throws(ZoneFileError) {
    let old = try ZoneFileHeader(bytes, at: 0)
    guard old.version >= UInt8(ascii: "2") else { throw .oldVersion }
    let second = ZoneFileHeader.size + old.dataSize(wordSize: 4)
    header = try ZoneFileHeader(bytes, at: second)
    start = second + ZoneFileHeader.size
    self.bytes = bytes
    guard header.leapCount == 0 else { throw .leapSeconds }
    let expected = footerStart + 2
    guard bytes.count >= expected else {
      throw .truncated(size: bytes.count, expected: expected)
    }
  }

  func rules() throws(ZoneFileError) -> ZoneRules {
    let changes = try changes()
    let rule = try rule()
    if let rule, let last = changes.last, last.start > ZoneSpan.beginning,
      rule.offset(at: last.start) != last.offset
    {
      throw .inconsistent("its footer disagrees with its last change")
    }
    return ZoneRules(changes: changes, rule: rule)
  }

  private func changes() throws(ZoneFileError) -> [ZoneSpan] {
    guard header.typeCount > 0 else { throw .inconsistent("it has no local time types") }
    var changes = [ZoneSpan(start: ZoneSpan.beginning, offset: try offset(ofType: 0))]
    for index in 0..<header.timeCount {
      let time = bytes.bigEndian(at: start + 8 * index, size: 8)
      let type = Int(bytes[start + 8 * header.timeCount + index])
      // The first may lie on the Big Bang, where old versions of zic put it.
      guard time > changes[index].start || (index == 0 && time == ZoneSpan.beginning) else {
        throw .inconsistent("its changes are not in order")
      }
      guard time < ZoneSpan.end else { throw .inconsistent("a change lies beyond all time") }
      changes.append(ZoneSpan(start: time, offset: try offset(ofType: type)))
    }
    return changes
  }

  private func offset(ofType type: Int) throws(ZoneFileError) -> Int {
    guard type < header.typeCount else {
      throw .inconsistent("a change names local time type \(type) of \(header.typeCount)")
    }
    let offset = bytes.bigEndian(at: start + 9 * header.timeCount + 6 * type, size: 4)
    guard abs(offset) < 26 * 3600 else {
      throw .inconsistent("an offset of \(offset) seconds is more than a day")
    }
    return offset
  }

  private func rule() throws(ZoneFileError) -> PosixRule? {
    let footer = bytes[footerStart...]
    guard footer.first == 10, footer.last == 10 else {
      throw .inconsistent("its footer is not a line of its own")
    }
    let line = footer.dropFirst().dropLast()
    guard !line.isEmpty else { return nil }
    guard line.allSatisfy({ (32..<127).contains($0) }),
      let rule = PosixRule(String(decoding: line, as: UTF8.self))
    else {
      throw .inconsistent("its footer is no POSIX rule")
    }
    return rule
  }

  private var footerStart: Int { start + header.dataSize(wordSize: 8) }
}

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
  fileprivate func bigEndian(at start: Int, size: Int) -> Int {
    let bits = self[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let unused = 64 - 8 * size
    return Int(Int64(bitPattern: bits << unused) >> unused)
  }
}
