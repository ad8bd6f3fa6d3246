internal import JobKit
internal import LocalTime

extension CheckReport {
  /// Writes what was found for people: problems to standard error, one a line.
  func print(on console: Console) throws(Unwritten) {
    switch settings {
    case .failure(let refused): console.complain(refused.lines)
    case .success(let loaded): try print(loaded, on: console)
    }
    if case .failure(let error) = database { console.complain(Failure(error).lines) }
  }

  private func print(_ loaded: LoadedSettings, on console: Console) throws(Unwritten) {
    for warning in loaded.warnings { console.remark("\(warning)") }
    let settings = loaded.settings
    var facts = Table("settings", file)
    facts.add("database", settings.database.url)
    if case .success(let greeting?) = database { facts.add("", greeting.description) }
    facts.add("zones", "\(loaded.zones.root), tzdata \(loaded.zones.version)")
    facts.add("workers", "\(settings.workers)")
    try console.print(
      facts.text(in: console.style) + "\n\n" + jobs(of: settings).text(in: console.style))
    if exitCode == .done { try console.print(console.style.green("\nno problem")) }
  }

  private func jobs(of settings: Settings) -> Table {
    var table = Table("job", "schedule", "zone", "next", "local")
    for job in settings.jobs {
      let schedule = job.schedule
      let next = job.isEnabled ? schedule.nextRun(after: now) : nil
      table.add(
        job.name.text, schedule.description, schedule.zone.name,
        next?.description ?? (job.isEnabled ? "never" : "disabled"),
        next?.text(in: schedule.zone) ?? "")
    }
    return table
  }
}
