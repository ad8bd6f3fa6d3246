internal import JobKit
internal import Runner

/// What tests ask of a debug build, in variables of its environment.
enum FaultInjection {
  /// Lets the process die where a test says, as by a kill -9, and look as often as it says.
  static func begin(for command: Command) throws(UsageError) {
    #if DEBUG
      if let pace = Environment["WORKER_REHEARSAL_PACE_MS"].flatMap({ Int($0) }) {
        RehearsalPace.keep(.milliseconds(pace))
      }
      guard let text = Environment["WORKER_FAILPOINT"], !Failpoint.arm(text) else { return }
      throw UsageError(
        .badWord(text, expected: "write the name of a failpoint in WORKER_FAILPOINT"),
        command: command)
    #endif
  }
}
