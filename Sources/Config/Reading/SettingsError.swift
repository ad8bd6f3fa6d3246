/// Everything that keeps settings from being used, in the order of the file.
public struct SettingsError: Error, Sendable, Equatable {
  public let problems: [Problem]

  public init(problems: [Problem]) {
    self.problems = problems
  }
}

extension SettingsError: CustomStringConvertible {
  public var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}
