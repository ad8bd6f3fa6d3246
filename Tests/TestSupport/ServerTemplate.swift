private import Glibc

/// The data folder of which each private server gets a copy: made once, for that takes a second.
enum ServerTemplate {
  private static let template = Result { try make() }

  /// Copies the template to `folder`.
  static func copy(to folder: String) throws {
    try ChildProcess.run("cp", ["-a", template.get(), folder])
  }

  /// Makes the template, or finds that of an earlier run.
  private static func make() throws -> String {
    let template = "\(try TestEnvironment.scratch)/template"
    guard unsafe access(template, F_OK) != 0 else { return template }
    let draft = "\(template)-\(getpid())"
    try mkdirForPostgres(draft)
    let process = try PostgresUser.start(
      "\(try TestEnvironment.postgresPrograms)/initdb",
      ["--no-sync", "--locale=C", "-E", "UTF8", "-A", "trust", "-U", "postgres"]
        + ["--wal-segsize=1", "-D", draft], output: "\(draft).log")
    guard try process.status() == 0 else {
      throw ProgramFailed(command: "initdb", output: try TextFile.read("\(draft).log"))
    }
    unsafe unlink("\(draft).log")
    // Another run may have been faster; then its template is as good.
    if unsafe rename(draft, template) != 0 { try ChildProcess.run("rm", ["-rf", draft]) }
    return template
  }

  static func mkdirForPostgres(_ path: String) throws {
    guard unsafe mkdir(path, 0o700) == 0 else { throw Unwritable(path: path) }
    try PostgresUser.own(path)
  }
}
