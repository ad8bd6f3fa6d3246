/// A bundle of jobs that the settings switch on and off as a whole, below `[apps]`.
package struct AppSwitch: Sendable, Equatable {
  package let name: String

  /// Whether it is on where the settings say nothing.
  package let isOn: Bool

  /// The tables of settings, and the jobs, that only it has.
  package let tables: [String]
  package let jobs: [JobName]

  /// Whether this process has its jobs: that is decided when the process starts.
  package var isIncluded = true

  package init(name: String, isOn: Bool, tables: [String], jobs: [JobName]) {
    (self.name, self.isOn, self.tables, self.jobs) = (name, isOn, tables, jobs)
  }
}
