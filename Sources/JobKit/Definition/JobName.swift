public import Postgres

/// The name of a job: words of small ASCII letters and digits, joined by `_`.
///
/// `scheduleDailyPush`, `schedule-daily-push` and `schedule_daily_push` are one name: whichever way
/// a team writes, the ledger, the log and the settings speak of one job.
public struct JobName: Sendable, Hashable {
  /// The name in its one spelling, `purge_drafts`.
  public let text: String

  /// How many characters it may have.
  public static let longest = 63

  /// The job that any spelling names: `purge-drafts`, `purgeDrafts`.
  public init(_ written: String) throws(JobNameError) {
    let text = Self.inSnakeCase(written)
    guard Self.isName(text) else { throw .unreadable(written) }
    guard text.utf8.count <= Self.longest else { throw .tooLong(written) }
    self.text = text
  }

  private static func inSnakeCase(_ written: String) -> String {
    let letters = Array(written.unicodeScalars)
    var text = String.UnicodeScalarView()
    for (index, letter) in letters.enumerated() {
      let before = index > 0 ? letters[index - 1] : nil
      let after = index + 1 < letters.count ? letters[index + 1] : nil
      if letter.isCapital, let before, startsWord(after: before, before: after) { text.append("_") }
      text.append(letter == "-" ? "_" : letter.small)
    }
    return String(text)
  }

  /// Whether a capital begins a word: the run of capitals in `sweepURLJob` is one.
  private static func startsWord(after before: Unicode.Scalar, before after: Unicode.Scalar?)
    -> Bool
  {
    if before.isCapital { return after?.isSmall == true }
    return before.isSmall || before.isDigit
  }

  private static func isName(_ text: String) -> Bool {
    let words = text.unicodeScalars.split(separator: "_", omittingEmptySubsequences: false)
    return text.unicodeScalars.first?.isSmall == true
      && words.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isSmall || $0.isDigit } }
  }
}

extension JobName: CustomStringConvertible {
  public var description: String { text }
}

extension JobName: Comparable {
  public static func < (one: JobName, other: JobName) -> Bool { one.text < other.text }
}

extension JobName: ExpressibleByStringLiteral {
  /// A name in source code; one that could not be read stops the program when it starts.
  public init(stringLiteral text: String) {
    precondition(Self.isName(text) && text.utf8.count <= Self.longest, "no job name: \(text)")
    self.text = text
  }
}

extension Unicode.Scalar {
  fileprivate var isCapital: Bool { ("A"..."Z").contains(self) }
  fileprivate var isSmall: Bool { ("a"..."z").contains(self) }
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
  fileprivate var small: Unicode.Scalar {
    isCapital ? Unicode.Scalar(UInt8(truncatingIfNeeded: value) | 0x20) : self
  }
}

extension JobName: PostgresValue {
  public static var postgresType: PostgresType { .text }

  public init(reading bytes: RawSpan, of type: PostgresType) throws(ValueProblem) {
    let text = try String(reading: bytes, of: type)
    do throws(JobNameError) {
      try self.init(text)
    } catch {
      throw .invalid("\(error)")
    }
  }

  public func write(to bytes: inout [UInt8]) throws(ValueProblem) {
    try text.write(to: &bytes)
  }
}
