/// The files of a beginning: settings, a drop-in for systemd, and a job that runs at once.
struct Starter {
  enum Kind: String, CaseIterable {
    case sql
    case command
    case swift
  }

  private let kind: Kind
  private let folder: String

  init(_ kind: Kind, in folder: String) {
    self.kind = kind
    self.folder = folder
  }

  /// A file is there already: nothing was written.
  struct InTheWay: EndingError, Equatable {
    let path: String

    var description: String {
      "'\(path)' is there already, so nothing was written: name another folder, or move it away"
    }
    var exitCode: ExitCode { .refusedForNow }
  }

  /// Writes all of them or, where one is there already, none; returns what to type next.
  func write() throws -> String {
    let paths = files.map { "\(folder)/\($0.name)" } + ["\(folder)/\(Self.dropIn)"]
    if let path = paths.first(where: NewFile.isThere) { throw InTheWay(path: path) }
    try NewFile.makeFolder(folder)
    for (path, file) in zip(paths, files) {
      try NewFile.makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)))
      try NewFile.write(file.text, to: path)
    }
    let whole = NewFile.absolute(folder)
    try NewFile.write(dropIn(below: whole), to: "\(folder)/\(Self.dropIn)")
    return next(paths, in: whole)
  }

  private static let dropIn = "worker.conf"
}

extension Starter {
  private var files: [(name: String, text: String)] {
    switch kind {
    case .sql:
      [
        ("worker.toml", Self.text(PackageResources.sql_toml)),
        ("example.sql", Self.text(PackageResources.sql_example)),
      ]
    case .command:
      [("worker.toml", Self.text(PackageResources.command_toml) + commandUser)]
    case .swift:
      [
        ("Package.swift", Self.text(PackageResources.drafts_package)),
        ("Sources/Drafts/DraftRules.swift", Self.text(PackageResources.drafts_rules)),
        ("Sources/Drafts/PurgeDrafts.swift", Self.text(PackageResources.drafts_job)),
        ("Sources/drafts-worker/main.swift", Self.text(PackageResources.drafts_main)),
        ("Tests/DraftsTests/PurgeDraftsTests.swift", Self.text(PackageResources.drafts_tests)),
        ("worker.toml", Self.text(PackageResources.drafts_toml)),
        ("example.sql", Self.text(PackageResources.drafts_example)),
      ]
    }
  }

  /// What the job of somebody who is root needs to be run at once.
  private var commandUser: String {
    guard Host.isRoot else { return "" }
    return
      "# A daemon that is root runs each program as a user who is not.\ncommand_user = \"nobody\"\n"
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func dropIn(below folder: String) -> String {
    let more =
      switch kind {
      case .sql: ""
      case .command: "\n" + Self.text(PackageResources.command_conf)
      case .swift:
        "ExecStart=\nExecStart=\(folder)/.build/release/drafts-worker daemon --drain 25s\n"
      }
    return """
      # A daemon of systemd that goes by these settings, in a folder that its user may read:
      #
      #   install -D -m 644 \(folder)/worker.conf /etc/systemd/system/worker.service.d/settings.conf
      #   systemctl daemon-reload && systemctl restart worker
      [Service]
      Environment=WORKER_CONFIG=\(folder)/worker.toml
      \(more)
      """
  }

  private func next(_ paths: [String], in folder: String) -> String {
    let lines = commands(in: folder).map { "  \($0)" }.joined(separator: "\n")
    return """
      wrote \(paths.joined(separator: ", "))

      next, with the address of your database:

      \(lines)
      """
  }

  private func commands(in folder: String) -> [String] {
    let settings = [
      "export WORKER_CONFIG=\(folder)/worker.toml",
      "export WORKER_DATABASE_URL=postgresql:///worker",
    ]
    let example = ["psql \"$WORKER_DATABASE_URL\" -f \(folder)/example.sql"]
    switch kind {
    case .sql:
      return settings + example + [
        "worker migrate up", "worker check --connect", "worker run expire_sessions --dry-run",
        "worker run expire_sessions", "worker why expire_sessions --key 17", "worker daemon",
      ]
    case .command:
      return settings + [
        "worker migrate up", "worker check", "worker run day_report --dry-run",
        "worker run day_report", "worker show 1", "worker daemon",
      ]
    case .swift:
      let program = ".build/debug/drafts-worker"
      return ["cd \(folder)", "swift build", "swift test"] + settings + example + [
        "\(program) migrate up", "\(program) run purge_drafts --dry-run",
        "\(program) run purge_drafts", "\(program) daemon",
      ]
    }
  }
}
