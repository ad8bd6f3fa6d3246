internal import JobKit
internal import LocalTime
internal import Settings

extension CheckReport {
  /// Writes what was found for people: problems to standard error, one a line.
  func print(_ arguments: Arguments, on console: Console) throws {
    switch settings {
    case .failure(let refused): console.complain(refused.lines)
    case .success(let loaded): try print(loaded, arguments, on: console)
    }
    if case .failure(let error) = database { console.complain(Failure(error).lines) }
    if let pushes { console.complain([pushes.description]) }
  }

  private func print(
    _ loaded: LoadedSettings, _ arguments: Arguments, on console: Console
  ) throws {
    for warning in loaded.warnings { console.remark("\(warning)") }
    let settings = loaded.settings
    var facts = Table("settings", Table.Column(file))
    facts.add("database", settings.database.url)
    if case .success(let greeting?) = database { facts.add("", greeting.description) }
    facts.add("zones", "\(loaded.zones.root), tzdata \(loaded.zones.version)")
    facts.add("workers", "\(settings.workers)")
    try console.print(facts.text(in: console.style(for: arguments)) + "\n")
    let times = try loaded.times(arguments, of: settings.jobs, at: now)
    try console.show(jobs(of: settings, times), arguments, of: .check)
    if exitCode == .done { try console.print(console.style.green("\nno problem")) }
  }

  private func jobs(of settings: Settings, _ times: Times) -> Table {
    var table = Table(
      "job", Table.Column("schedule", rank: 1), Table.Column("zone", rank: 2), times.column("next"))
    for job in settings.jobs {
      let schedule = job.schedule
      let next = job.isEnabled ? schedule.nextRun(after: now) : nil
      table.add(
        job.name.text, schedule.description, schedule.zone.name,
        next.map(times.text) ?? (job.isEnabled ? "never" : "disabled"))
    }
    return table
  }
}
