internal import Config
internal import JobKit
internal import LocalTime
internal import Settings

extension CheckReport {
  /// What was found, for machines.
  var json: JSON {
    switch settings {
    case .failure(let refused):
      ["ok": false, "file": .string(refused.file), "problems": refused.json, "warnings": []]
    case .success(let loaded): json(of: loaded)
    }
  }

  private func json(of loaded: LoadedSettings) -> JSON {
    var members: [JSON.Member] = [
      .init("ok", .boolean(exitCode == .done)),
      .init("file", .string(file)),
      .init("problems", []),
      .init(
        "warnings",
        .array((loaded.warnings + findings.filter(\.isRemark).map(\.problem)).map(\.json))),
      .init("database", databaseJSON(of: loaded.settings)),
      .init(
        "zones", ["root": .string(loaded.zones.root), "tzdata": .string(loaded.zones.version)]),
      .init("workers", .integer(loaded.settings.workers)),
      .init("jobs", .array(loaded.settings.jobs.map(json))),
    ]
    let refused = findings.filter { !$0.isRemark }.map(\.problem.json)
    members[2] = .init(
      "problems", .array(faults.map { ["what": .string($0)] } + refused))
    return .object(members)
  }

  /// What is wrong beside the settings themselves.
  private var faults: [String] {
    var faults = pushes.map { [$0.description] } ?? []
    if case .failure(let error) = database {
      faults.append(Failure(error).lines.joined(separator: "; "))
    }
    return faults
  }

  private func databaseJSON(of settings: Settings) -> JSON {
    var members = [JSON.Member("url", .string(settings.database.url))]
    if case .success(let greeting?) = database {
      members.append(.init("answered", .string(greeting.description)))
    }
    return .object(members)
  }

  private func json(of job: JobSettings) -> JSON {
    [
      "name": .string(job.name.text),
      "enabled": .boolean(job.isEnabled),
      "schedule": .string(job.schedule.description),
      "zone": .string(job.schedule.zone.name),
      "after": .array(job.after.jobs.map { .string($0.text) }),
      "next": JSON(job.isEnabled ? job.schedule.nextRun(after: now)?.description : nil),
    ]
  }
}

extension SettingsFile.Refused {
  fileprivate var json: JSON {
    switch reason {
    case .unreadable: [["file": .string(file), "line": nil, "column": nil, "what": "\(self)"]]
    case .wrong(let problems): .array(problems.map(\.json))
    }
  }
}

extension Problem {
  fileprivate var json: JSON {
    [
      "file": .string(file),
      "line": position.map { .integer($0.line) } ?? nil,
      "column": position.map { .integer($0.column) } ?? nil,
      "what": .string("\(what)"),
    ]
  }
}
