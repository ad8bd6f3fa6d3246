internal import Glibc

/// Why the program of a job could not be run; another try may go better.
struct CommandFault: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  init(step: ProgramEnd.Step, errno code: Int32) {
    let what =
      switch step {
      case .limits: "its limits cannot be set"
      case .user: "it cannot get the rights of its user"
      case .program: "it cannot be started"
      case .folder: "it cannot begin in its folder"
      }
    description = "\(what): \(unsafe String(cString: strerror(code)).lowercased())"
  }
}
