internal import TestSupport

/// What the program printed, and how it ended.
struct Program {
  let output: String
  let errors: String
  let exitCode: Int32

  /// Runs the program with `arguments` and no variables but `variables`, to its end.
  init(_ arguments: String..., variables: [String: String] = [:]) throws {
    try self.init(words: arguments, variables: variables)
  }

  /// Runs the program, or a debug build of it for rehearsals.
  init(
    words arguments: [String], variables: [String: String] = [:], isRehearsal: Bool = false
  ) throws {
    try self.init(
      shell: #""$PROGRAM" "$@""#, words: arguments, variables: variables, isRehearsal: isRehearsal)
  }

  /// Runs a line of shell, in which `$PROGRAM` is the program.
  ///
  /// Neither stream is a terminal, so this is what a pipe gets.
  init(
    shell line: String, words: [String] = [], variables: [String: String] = [:],
    isRehearsal: Bool = false
  ) throws {
    let folder = try ScratchFolder()
    let binary = try isRehearsal ? TestEnvironment.debugBinary : TestEnvironment.binary
    let own = [
      "OUTPUT=\(folder.path)/output", "ERRORS=\(folder.path)/errors", "PROGRAM=\(binary)",
    ]
    let child = try ChildProcess(
      "/usr/bin/env",
      ["-i"] + own + variables.map { "\($0)=\($1)" }
        + ["/bin/sh", "-c", "\(line) >\"$OUTPUT\" 2>\"$ERRORS\"", "sh"] + words)
    // What waiting for a process tells: its exit code stands in the second byte.
    exitCode = (try child.status() >> 8) & 0xff
    output = try TextFile.read("\(folder.path)/output")
    errors = try TextFile.read("\(folder.path)/errors")
  }
}
