public import Config

/// The jobs that this program has, in the order in which they are listed for people.
public struct Catalogue: Sendable {
  /// The jobs, in the order in which people see them.
  public let jobs: [JobDefinition]

  /// The rules of the jobs' own that the settings may change, table by table.
  public let rules: [AnyRule]
  /// The kinds of jobs that the settings may describe whole.
  package var kinds: [any SettingsJobKind] = []
  /// The apps that the settings may switch on and off.
  package var apps: [AppSwitch] = []
  private let positions: [JobName: Int]

  /// A catalogue of jobs with different names; two of one name stop the program when it starts.
  public init(_ jobs: [JobDefinition], rules: [AnyRule] = []) {
    let numbered = jobs.enumerated().map { ($0.element.name, $0.offset) }
    let positions = Dictionary(numbered, uniquingKeysWith: { first, _ in first })
    precondition(positions.count == jobs.count, "two jobs have one name")
    self.jobs = jobs
    self.rules = rules
    self.positions = positions
  }

  /// The job of that name, if there is one.
  public subscript(name: JobName) -> JobDefinition? {
    positions[name].map { jobs[$0] }
  }
}
