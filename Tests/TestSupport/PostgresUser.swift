private import Glibc

/// The user under whom PostgreSQL runs: it refuses to run as root.
enum PostgresUser {
  /// Starts a program of PostgreSQL; it is told to stop when this process dies.
  static func start(
    _ program: String, _ arguments: [String], output: String
  ) throws -> ChildProcess {
    let identity =
      geteuid() == 0 ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
    return try ChildProcess(
      "setpriv", identity + ["--pdeathsig", "INT", program] + arguments, output: output)
  }

  /// Gives the file or folder at `path` to the user, when this process is root.
  static func own(_ path: String) throws {
    guard geteuid() == 0, let user = unsafe getpwnam("postgres") else { return }
    guard unsafe chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0 else {
      throw Unwritable(path: path)
    }
  }
}
