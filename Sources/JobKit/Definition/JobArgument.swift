/// Something that whoever runs a job by hand may ask of it, such as `full=true`.
public struct JobArgument: Sendable, Hashable {
  /// Its name, as `--arg NAME=VALUE` has it.
  public let name: String

  /// What the run then does, in words that stand for themselves.
  public let meaning: String

  /// Every value that it may have, where these are a few words; none where it may be any text.
  public let choices: [String]

  /// An argument with its meaning in words; with `choices` no other value is taken.
  public init(_ name: String, _ meaning: String, choices: [String] = []) {
    self.name = name
    self.meaning = meaning
    self.choices = choices
  }

  /// What can be written: `full=true or full=false`, `batch=VALUE`.
  public var usage: String {
    let values = choices.isEmpty ? ["VALUE"] : choices
    return values.map { "\(name)=\($0)" }.joined(separator: " or ")
  }
}
