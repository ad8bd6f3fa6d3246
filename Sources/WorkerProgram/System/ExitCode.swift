/// How the program ended, as the shell, systemd and probes read it.
///
/// The numbers from 64 on are those of BSD's `sysexits.h`, which systemd prints by name.
enum ExitCode: Int32, CaseIterable {
  case done = 0
  case jobFailed = 1
  case usage = 64
  case badData = 65
  case databaseUnreachable = 69
  case internalError = 70
  case unwritten = 74
  case refusedForNow = 75
  case notPermitted = 77
  case configuration = 78
  case interrupted = 130

  /// What the number says, for `worker --help` and the manual.
  var meaning: String {
    switch self {
    case .done: "done"
    case .jobFailed: "the job failed, after all its tries, or what was asked about is not well"
    case .usage:
      "the command line is wrong: an unknown command, option or job, or a value that cannot be used"
    case .badData: "what was named does not exist, or cannot be used this way"
    case .databaseUnreachable: "the database cannot be reached"
    case .internalError: "a mistake of this program"
    case .unwritten: "the result could not be written, as to a full disk"
    case .refusedForNow: "refused as things stand: the message says what must change first"
    case .notPermitted: "the database refuses the role or what it asks for: see 'worker doctor'"
    case .configuration:
      "the settings are wrong: the message says where, or 'worker check --connect' does"
    case .interrupted: "interrupted by Ctrl-C, or by 'worker cancel'"
    }
  }
}
