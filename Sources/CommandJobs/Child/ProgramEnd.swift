/// What became of a program.
enum ProgramEnd: Equatable {
  /// It never was one: which step failed, and with which number of the system.
  case unstarted(Step, Int32)

  /// It ended, or was ended, by its status and for that reason.
  case ended(Status, Reason)

  /// Nobody knows: the process that watched over it was killed, and the program with it.
  case unknown

  enum Step: Int32 {
    case limits = 1
    case user
    case program
    case folder
  }

  enum Status: Equatable {
    case exit(Int32)
    case signal(Int32)

    /// What `waitpid` says.
    init(_ status: Int32) {
      self = status & 0x7f == 0 ? .exit((status >> 8) & 0xff) : .signal(status & 0x7f)
    }
  }

  enum Reason: Int32 {
    /// By itself.
    case itself
    /// It was asked to end, or killed on request.
    case asked
    /// The lease of its part had run out.
    case leaseOver
    /// Nobody held the other end of its guard's pipe any more.
    case orphaned
  }
}

extension ProgramEnd.Status: CustomStringConvertible {
  var description: String {
    switch self {
    case .exit(let code): "exit \(code)"
    case .signal(let number): "killed by \(SignalName.of(number))"
    }
  }
}
