internal import JobKit
internal import LocalTime
internal import Postgres

/// Looks at everything that has ever kept an installation from working.
enum Doctor {
  static let hostChecks: [any HostCheck] =
    [
      PasswordFileCheck(), ZoneDataCheck(), UnitFileCheck(), StateFolderCheck(),
    ] + LearningApp.whenOn([PushLogCheck()])

  static let databaseChecks: [any DatabaseCheck] =
    [
      ServerCheck(), SchemaCheck(), RoleCheck(), SearchPathCheck(), PoolerCheck(),
      ConnectionsCheck(),
      ClockCheck(), ZoneDifferenceCheck(), DaemonsCheck(), JobRowsCheck(), JobTablesCheck(),
      JobFailuresCheck(), TransactionsCheck(), HorizonCheck(), VacuumCheck(), DurabilityCheck(),
    ] + LearningApp.whenOn([PushDevicesCheck()])

  static let configuration = ConfigurationCheck()

  /// The names of all checks, in the order in which they are made; one may be a check of the host and the database.
  static var names: [String] {
    distinct([configuration.name] + hostChecks.map(\.name) + databaseChecks.map(\.name))
  }

  private static func distinct(_ names: [String]) -> [String] {
    names.reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
  }
}

extension Doctor {
  /// What those of the checks find that are `chosen`, the worst first.
  ///
  /// A problem of another check is told as well, where it keeps them from being made.
  static func examine(
    _ file: SettingsFile, only chosen: Set<String>, reachingProviders: Bool = false
  ) -> [Finding] {
    let asked = databaseChecks.filter { chosen.contains($0.name) }
    let onHost = hostChecks.filter { chosen.contains($0.name) }
    let (patient, seen) = configuration.check(at: file)
    var findings = report(seen, by: configuration).filter {
      chosen.contains($0.check) || $0.what.severity == .problem
    }
    if var patient {
      patient.reachesProviders = reachingProviders
      for check in onHost { findings += report(check.check(at: patient), by: check) }
      if !asked.isEmpty { findings += ask(asked, about: patient) }
    } else {
      let names = onHost.map(\.name) + asked.map(\.name)
      findings += unseen(distinct(names), without: configuration)
    }
    return Observation.Severity.allCases.reversed().flatMap { severity in
      findings.filter { $0.what.severity == severity }
    }
  }

  /// Makes the checks that need a connection; one that fails does not hide the others.
  private static func ask(_ checks: [any DatabaseCheck], about patient: Patient) -> [Finding] {
    do {
      let connection = try Connection(to: patient.server)
      let isDemonstration = isDemonstration(on: connection)
      let schema = SchemaCheck()
      let behind = (ask(schema, about: patient, on: connection, behindSchema: false) ?? [])
        .filter { $0.severity == .problem }
      var (findings, unmade) = ([Finding](), [any DatabaseCheck]())
      for check in checks {
        guard let seen = ask(check, about: patient, on: connection, behindSchema: !behind.isEmpty)
        else {
          unmade.append(check)
          continue
        }
        findings += report(isDemonstration ? seen.map(\.inDemonstration) : seen, by: check)
      }
      if !unmade.isEmpty, !checks.contains(where: { $0.name == schema.name }) {
        findings += report(behind, by: schema)
      }
      return findings + unseen(unmade.compactMap { $0.subject(at: patient) }, without: schema)
    } catch {
      let server = ServerCheck()
      let observation = Observation.problem(
        "\(error)", why: "everything that the worker promises is a row there",
        do: "see to the database first, then ask again")
      let others = checks.filter { $0.name != server.name }
      return report([observation], by: server)
        + unseen(others.compactMap { $0.subject(at: patient) }, without: server)
    }
  }

  /// What a check sees; nothing where it fails on a schema that is behind, of which another check tells.
  private static func ask(
    _ check: any DatabaseCheck, about patient: Patient, on connection: borrowing Connection,
    behindSchema isBehind: Bool
  ) -> [Observation]? {
    do {
      return try check.check(at: patient, on: connection)
    } catch {
      if isBehind, !((error as? PostgresError)?.isForbidden ?? false) { return nil }
      let text = "could not be looked at: \(error)"
      let isForbidden = (error as? PostgresError)?.isForbidden ?? false
      return [
        isForbidden
          ? .note(text, do: "ask as a role that may")
          : .warning(
            text, why: "nothing is known of what this check looks at",
            do: "see to the reason, then ask again")
      ]
    }
  }

  /// Whether script/demo made the database, which says so in its comment.
  private static func isDemonstration(on connection: borrowing Connection) -> Bool {
    let rows = try? connection.run(
      """
      SELECT shobj_description(oid, 'pg_database') LIKE 'made by script/demo%' AS is_demonstration
      FROM pg_database WHERE datname = current_database()
      """)
    return (try? rows?.first?["is_demonstration", as: Bool?.self]) == true
  }

  private static func report(_ seen: [Observation], by check: some Check) -> [Finding] {
    seen.map { Finding(check: check.name, what: $0) }
  }

  /// One line for all that could not be looked at, under the name of what kept them from it.
  private static func unseen(_ subjects: [String], without cause: some Check) -> [Finding] {
    guard !subjects.isEmpty else { return [] }
    let list = subjects.joined(separator: ", ")
    return report([.note("not looked at without it: \(list)")], by: cause)
  }
}
