import Postgres

/// The answers to a pattern, the newest last, as a text tells them that has a digit for each.
///
/// The digits stay as they came: of millions of patterns to make something else takes as long as to measure them.
struct Answers: Equatable {
  let digits: ArraySlice<UInt8>

  init(_ answers: [Answer]) {
    digits = answers.map { UInt8(ascii: "0") + $0.sum }[...]
  }

  private init(_ digits: ArraySlice<UInt8>) {
    self.digits = digits
  }
}

extension Answers: RandomAccessCollection {
  var startIndex: Int { digits.startIndex }
  var endIndex: Int { digits.endIndex }
  var indices: Range<Int> { digits.indices }

  subscript(index: Int) -> Answer { Answer(digit: digits[index]) }

  /// Some of them, which are answers again: a slice of another type is looked up for each pattern.
  subscript(bounds: Range<Int>) -> Answers { Answers(digits[bounds]) }
}

extension Answers: PostgresValue {
  static var postgresType: PostgresType { .text }

  init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    digits = try Bytes(reading: bytes, of: type).bytes[...]
  }

  func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    bytes.append(contentsOf: digits)
  }
}
