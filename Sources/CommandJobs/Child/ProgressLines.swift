/// What a program says of how far it is: lines such as `progress 12/100`, or `progress 12` where it knows no end.
struct ProgressLines {
  struct Step: Equatable {
    let done: Int
    let total: Int?
  }

  /// The beginning of a line whose end has not come yet.
  private var rest: [UInt8] = []

  /// How much there is in all, as an earlier line said.
  private var total: Int?

  /// Takes in what was written; gives the last step of it, if there is one.
  ///
  /// Other lines say nothing.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> Step? {
    var last: Step?
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if let step = Self.step(in: rest) {
          total = step.total ?? total
          last = Step(done: step.done, total: total)
        }
        rest = []
      } else if rest.count <= Self.longest {
        // A longer line is none of these, however it goes on.
        rest.append(byte)
      }
    }
    return last
  }

  private static let longest = 64

  /// No sum and no rate of such numbers leaves its type.
  private static let known = 0...1_000_000_000_000

  private static func step(in line: [UInt8]) -> Step? {
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard words.count == 2, words[0] == "progress" else { return nil }
    let numbers = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard let done = numbers.first.flatMap({ Int($0) }), Self.known.contains(done) else {
      return nil
    }
    guard numbers.count == 2 else { return numbers.count == 1 ? Step(done: done, total: nil) : nil }
    return Int(numbers[1]).flatMap { total in
      known.contains(total) ? Step(done: done, total: total) : nil
    }
  }
}
