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
