internal import Config

/// A line of a crontab that runs a command, with the variables that stand above it.
struct CrontabJob: Equatable {
  let line: Int
  let text: String
  let schedule: CrontabSchedule
  let user: String?
  let command: CrontabCommand
  let variables: [CrontabVariable]

  /// The value of a variable that is in force for it.
  subscript(name: String) -> String? { variables.first { $0.name == name }?.value }
}

/// A line such as `PATH=/usr/bin:/bin`.
struct CrontabVariable: Equatable {
  let name: String
  let value: String
}

/// A line of a crontab that cannot be a job here.
struct CrontabFault: Error, Equatable {
  let position: SourcePosition
  let reason: String
}
