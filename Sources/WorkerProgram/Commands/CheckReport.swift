internal import JobKit
internal import Jobs
internal import LocalTime
internal import Postgres
internal import Push
internal import Settings

/// What `worker check` found.
struct CheckReport {
  let file: String
  let now: Instant
  let settings: Result<LoadedSettings, SettingsFile.Refused>
  let database: Result<DatabaseGreeting?, any Error>?

  /// What keeps a provider of pushes from being used.
  let pushes: PushKeyFault?

  init(of file: SettingsFile, now: Instant, asksDatabase: Bool) {
    self.file = file.path
    self.now = now
    let settings = Result { () throws(SettingsFile.Refused) in try file.load() }
    self.settings = settings
    let database = (try? settings.get()).map { loaded in
      Result {
        let server = try loaded.settings.database.server(
          credentials: Environment["CREDENTIALS_DIRECTORY"])
        try server.requireFiles()
        let usesProviders = ProviderRules(loaded.settings.rules).isUsed
        return asksDatabase
          ? try DatabaseGreeting.ask(server, of: loaded, ofDevices: usesProviders) : nil
      }
    }
    self.database = database
    let needed = (try? database?.get())?.providers ?? []
    pushes = (try? settings.get()).flatMap { loaded in
      let rules = ProviderRules(loaded.settings.rules)
      return Self.fault(in: rules) ?? rules.fault(needing: needed)
    }
  }

  var exitCode: ExitCode {
    switch (settings, database) {
    case (.failure, _): .configuration
    case (_, .failure(let error)): Failure(error).exitCode
    case _ where findings.contains { !$0.isRemark }: .configuration
    default: pushes.map(\.exitCode) ?? .done
    }
  }

  /// What the database has against jobs that the settings describe.
  var findings: [JobFinding] {
    if case .success(let greeting?) = database { greeting.findings } else { [] }
  }

  private static func fault(in rules: ProviderRules) -> PushKeyFault? {
    do throws(PushKeyFault) {
      _ = try PushKeys(rules)
      return rules.authoritiesFault
    } catch {
      return error
    }
  }
}

extension ProviderRules {
  /// Why devices cannot have their pushes that need these providers.
  func fault(needing providers: [PushProvider]) -> PushKeyFault? {
    guard isUsed else { return nil }
    let missing = providers.filter { !enables($0) }.map(\.rawValue)
    guard !missing.isEmpty else { return nil }
    let tables = missing.map { "[push.\($0)]" }.joined(separator: " and ")
    return PushKeyFault(
      "learners have devices of \(missing.joined(separator: " and ")), and \(tables)"
        + " \(missing.count == 1 ? "is" : "are") not enabled, so their pushes wait: write"
        + " 'enabled = true' there, with the key that docs/push.md tells of")
  }
}

extension CheckReport {
  /// Writes what was found for people: problems to standard error, one a line.
  func print(_ arguments: Arguments, on console: Console) throws {
    switch settings {
    case .failure(let refused): console.complain(refused.lines)
    case .success(let loaded): try print(loaded, arguments, on: console)
    }
    if case .failure(let error) = database { console.complain(Failure(error).lines) }
    if let pushes { console.complain([pushes.description]) }
    let refused = findings.filter { !$0.isRemark }.map(\.problem)
    if !refused.isEmpty {
      console.complain(SettingsFile.Refused(file: file, reason: .wrong(refused)).lines)
    }
  }

  private func print(
    _ loaded: LoadedSettings, _ arguments: Arguments, on console: Console
  ) throws {
    let remarks = loaded.warnings + findings.filter(\.isRemark).map(\.problem)
    for warning in remarks { console.remark("\(warning)") }
    for blocked in blocked { console.remark(blocked) }
    let settings = loaded.settings
    var facts = Table("settings", Table.Column(file))
    facts.add("database", settings.database.url)
    if case .success(let greeting?) = database { facts.add("", greeting.description) }
    facts.add("zones", "\(loaded.zones.root), tzdata \(loaded.zones.version)")
    facts.add("workers", "\(settings.workers)")
    try console.print(facts.text(in: console.style(for: arguments)) + "\n")
    let times = try loaded.times(arguments, of: settings.jobs, at: now)
    try console.show(jobs(of: settings, times), arguments, of: .check)
    if exitCode == .done, blocked.isEmpty { try console.print(console.style.green("\nno problem")) }
  }

  /// The jobs of which the database has not all that they need.
  private var blocked: [String] {
    guard case .success(let greeting?) = database else { return [] }
    return greeting.blocked
  }

  private func jobs(of settings: Settings, _ times: Times) -> Table {
    var table = Table(
      "job", Table.Column("schedule", rank: 1), Table.Column("zone", rank: 2), times.column("next"))
    for job in settings.jobs {
      let schedule = job.schedule
      let next = job.isEnabled ? schedule.nextRun(after: now) : nil
      table.add(
        job.name.text, job.rhythm, schedule.zone.name,
        next.map(times.text) ?? (job.isEnabled ? "never" : "disabled"))
    }
    return table
  }
}
