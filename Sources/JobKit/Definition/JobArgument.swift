internal import LocalTime

/// Something that a run by hand, or one that the app asks for, may ask of a job, such as `full=true`.
public struct JobArgument: Sendable, Hashable {
  /// Its name, as `--arg NAME=VALUE` has it.
  public let name: String

  /// What the run then does, in words that stand for themselves.
  public let meaning: String

  /// Every value that it may have, where these are a few words; none where it may be any text.
  public let choices: [String]

  /// What a value without choices has to be.
  public let kind: Kind

  /// What a value of an argument is; the run gets it as text.
  public enum Kind: String, Sendable, Hashable {
    /// Anything of 1000 characters at most.
    case text

    /// A whole number of at most 18 digits.
    case number

    /// A day such as `2026-03-01`.
    case day
  }

  /// An argument with its meaning in words; with `choices` no other value is taken.
  public init(_ name: String, _ meaning: String, choices: [String] = [], kind: Kind = .text) {
    self.name = name
    self.meaning = meaning
    self.choices = choices
    self.kind = kind
  }

  /// What can be written: `full=true or full=false`, `batch=VALUE`, `day=2026-03-01`.
  public var usage: String {
    let values = choices.isEmpty ? [example] : choices
    return values.map { "\(name)=\($0)" }.joined(separator: " or ")
  }

  private var example: String {
    switch kind {
    case .text: "VALUE"
    case .number: "42"
    case .day: "2026-03-01"
    }
  }

  /// Whether a run may be asked for with this value.
  public func takes(_ value: String) -> Bool {
    guard choices.isEmpty else { return choices.contains(value) }
    switch kind {
    case .text: return value.unicodeScalars.count <= 1000
    case .number:
      let digits = value.hasPrefix("-") ? value.dropFirst() : value[...]
      return (1...18).contains(digits.utf8.count)
        && digits.utf8.allSatisfy { (48...57).contains($0) }
    case .day: return (try? CivilDate(value))?.description == value
    }
  }
}
