import Glibc
import TestSupport
import Testing

/// Files that are none, where the built program looks for its settings, its texts and its password.
@Suite("Files that would hold whoever reads them")
struct OddFileTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try ChildProcess.run("/usr/bin/mkfifo", ["\(folder.path)/pipe"])
    try ChildProcess.run("/bin/ln", ["-s", "loop", "\(folder.path)/loop"])
    try ChildProcess.run("/usr/bin/truncate", ["-s", "50M", "\(folder.path)/large"])
    try folder.write("secret-Vb7q\n", to: "locked", mode: 0o000)
  }

  /// Each odd path, and how a sentence about it goes on; a large file is refused in words of its own.
  private var odd: [(path: String, reason: String)] {
    [
      ("\(folder.path)/pipe", "it is a named pipe"), ("/dev/zero", "it is a device"),
      ("/dev/tty", "no such device"), (folder.path, "is a directory"),
      ("\(folder.path)/loop", "too many levels of symbolic links"),
      ("\(folder.path)/none", "no such file"),
    ]
  }

  private func check(_ settings: String, _ words: String...) throws -> Program {
    let file = try folder.write(settings, to: "worker.toml", mode: 0o644)
    return try Program(
      words: ["check", "--config", file] + words, variables: ["TZDIR": TestEnvironment.zoneinfo])
  }

  @Test func `as settings they are refused in one sentence`() throws {
    for (path, reason) in odd where path != "/dev/tty" {
      let program = try Program("check", "--config", path)

      #expect(
        program.errors.hasPrefix("worker: cannot read the settings '\(path)': \(reason)"),
        "\(program.errors)")
      #expect(program.errors.split(separator: "\n").count == 1)
      #expect(program.exitCode == 78)
    }
    let large = try Program("check", "--config", "\(folder.path)/large")
    #expect(large.errors.contains("the text is longer than 1 MiB"))
    #expect(large.exitCode == 78)
  }

  @Test func `settings come from a pipe of the shell, and from standard input`() throws {
    let variables = ["TZDIR": try TestEnvironment.zoneinfo, "PATH": "/usr/bin:/bin"]
    for source in ["/dev/stdin", "/dev/fd/0"] {
      let program = try Program(
        shell: "echo 'workers = 3' | \"$PROGRAM\" check --config \(source)", variables: variables)

      #expect(program.output.contains("workers   3\n"), "\(program.errors)")
      #expect(program.exitCode == 0)
    }
  }

  @Test func `as texts of pushes they are refused with their names`() throws {
    let texts = "\(folder.path)/texts"
    try ChildProcess.run("/bin/mkdir", [texts])
    for (path, reason) in odd + [("\(folder.path)/large", "it is longer than 1 mib")]
    where path != "/dev/tty" {
      try ChildProcess.run("/bin/ln", ["-sfn", path, "\(texts)/en.toml"])

      let program = try check("[push]\nmessages = \"\(texts)\"")

      let beginning = "\(texts)/en.toml: cannot be read: \(reason)"
      #expect(program.errors.lowercased().contains(beginning.lowercased()), "\(program.errors)")
      #expect(program.exitCode == 78)
    }
  }

  @Test func `as the folder of the texts they are refused with what to write`() throws {
    try folder.write("title = 'x'\n", to: "en.toml", mode: 0o644)
    let none = "it is no folder: write the folder that the files are in"
    for (path, reason) in [
      ("pipe", none), ("en.toml", none), ("none", "no such file or directory"),
      ("loop", "too many levels of symbolic links"),
    ] {
      let program = try check("[push]\nmessages = \"\(folder.path)/\(path)\"")

      #expect(
        program.errors.contains("\(folder.path)/\(path): cannot be read: \(reason)"),
        "\(program.errors)")
      #expect(program.exitCode == 78)
    }
  }

  @Test(arguments: [
    ["PGSERVICE": "db", "PGSERVICEFILE": "pipe"], ["PGSSLCRL": "pipe"],
  ])
  func `as files of libpq that the environment names they are refused`(
    names: [String: String]
  ) throws {
    let files = names.mapValues { $0 == "db" ? $0 : "\(folder.path)/\($0)" }
    let file = try folder.write(
      "[database]\nurl = \"host=/nowhere\"", to: "worker.toml", mode: 0o644)

    let program = try Program(
      words: ["check", "--connect", "--config", file],
      variables: files.merging(["TZDIR": try TestEnvironment.zoneinfo]) { first, _ in first })

    #expect(program.errors.contains("': it is a named pipe"), "\(program.errors)")
    #expect(program.errors.contains("cannot read the file of '"))
    #expect(program.exitCode == 78)
  }

  @Test(arguments: ["sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile"])
  func `as files of libpq that the address names they are refused, and no server is asked`(
    option: String
  ) throws {
    for (path, reason) in odd where path != "/dev/tty" {
      let program = try check("[database]\nurl = \"host=/nowhere \(option)=\(path)\"")

      #expect(
        program.errors.lowercased()
          .contains("cannot read the file of '\(option)': \(reason)".lowercased()),
        "\(program.errors)")
      #expect(!program.output.contains("no problem"))
      #expect(program.exitCode == 78)
    }
    let file = try folder.write("", to: "regular", mode: 0o600)
    let well = try check("[database]\nurl = \"host=/nowhere \(option)=\(file)\"")
    #expect(well.exitCode == 0, "\(well.errors)")
  }

  @Test(arguments: [
    ("PGSSLROOTCERT", "'sslrootcert': No such file or directory"),
    ("PGSERVICEFILE", "'PGSERVICE': No such file or directory"), ("PGPASSFILE", nil),
  ])
  func `a file of libpq that is not there is refused, but for one of passwords of the environment`(
    name: String, refusal: String?
  ) throws {
    var variables = ["TZDIR": try TestEnvironment.zoneinfo, name: "\(folder.path)/none"]
    if name == "PGSERVICEFILE" { variables["PGSERVICE"] = "db" }

    let program = try Program("check", "--config", "/dev/null", variables: variables)

    let sentence = refusal.map { "worker: cannot read the file of \($0)\n" } ?? ""
    #expect(program.errors == sentence)
    #expect(program.exitCode == (refusal == nil ? 0 : 78))
  }

  @Test func `as password files they are refused, and no server is asked`() throws {
    for (path, reason) in odd where path != "/dev/tty" {
      let program = try check(
        "[database]\nurl = \"host=/nowhere\"\npassword_file = \"\(path)\"", "--connect")

      #expect(
        program.errors.lowercased()
          .contains("cannot read the password file '\(path)': \(reason)".lowercased()),
        "\(program.errors)")
      #expect(program.exitCode == 78)
    }
  }
}
