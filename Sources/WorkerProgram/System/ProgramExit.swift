internal import Glibc

/// The end of the process.
enum ProgramExit {
  static func end(_ code: ExitCode) -> Never {
    exit(code.rawValue)
  }
}
