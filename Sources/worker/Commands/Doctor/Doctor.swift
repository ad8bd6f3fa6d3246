internal import JobKit
internal import LocalTime
internal import Postgres

/// Looks at everything that has ever kept an installation from working.
enum Doctor {
  static let hostChecks: [any HostCheck] = [
    PasswordFileCheck(), ZoneDataCheck(), UnitFileCheck(), StateFolderCheck(), PushLogCheck(),
  ]

  static let databaseChecks: [any DatabaseCheck] = [
    ServerCheck(), SchemaCheck(), RoleCheck(), PoolerCheck(), ConnectionsCheck(), ClockCheck(),
    ZoneDifferenceCheck(), DaemonsCheck(), JobRowsCheck(), TransactionsCheck(), HorizonCheck(),
    VacuumCheck(), DurabilityCheck(),
  ]

  static let configuration = ConfigurationCheck()

  /// The names of all checks, in the order in which they are made.
  static var names: [String] {
    [configuration.name] + hostChecks.map(\.name) + databaseChecks.map(\.name)
  }
}

extension Doctor {
  /// What those of the checks find that are `chosen`, the worst first.
  static func examine(_ file: SettingsFile, only chosen: Set<String>) -> [Finding] {
    let (patient, seen) = configuration.look(at: file)
    var findings = report(seen, by: configuration)
    guard let patient else {
      findings += unseen(hostChecks + databaseChecks, because: "the settings cannot be read")
      return sorted(findings, only: chosen)
    }
    for check in hostChecks where chosen.contains(check.name) {
      findings += report(check.look(at: patient), by: check)
    }
    let asked = databaseChecks.filter { chosen.contains($0.name) }
    return sorted(findings + (asked.isEmpty ? [] : ask(asked, about: patient)), only: chosen)
  }

  /// Makes the checks that need a connection; one that fails does not hide the others.
  private static func ask(_ checks: [any DatabaseCheck], about patient: Patient) -> [Finding] {
    do {
      let connection = try Connection(to: patient.server)
      var findings: [Finding] = []
      for check in checks { findings += ask(check, about: patient, on: connection) }
      return findings
    } catch {
      let server = ServerCheck()
      let observation = Observation.problem(
        "\(error)", do: "see to the database first, then ask again")
      let others = checks.filter { $0.name != server.name }
      return report([observation], by: server)
        + unseen(others, because: "the database does not answer")
    }
  }

  private static func ask(
    _ check: any DatabaseCheck, about patient: Patient, on connection: borrowing Connection
  ) -> [Finding] {
    do {
      return report(try check.look(at: patient, on: connection), by: check)
    } catch {
      let text = "could not be looked at: \(error)"
      let isForbidden = (error as? PostgresError)?.isForbidden ?? false
      let seen: Observation =
        isForbidden
        ? .note(text, do: "ask as a role that may")
        : .warning(text, do: "see to the reason, then ask again")
      return report([seen], by: check)
    }
  }

  private static func report(_ seen: [Observation], by check: some Check) -> [Finding] {
    seen.map { Finding(check: check.name, why: check.why, what: $0) }
  }

  private static func unseen(_ checks: [any Check], because reason: String) -> [Finding] {
    checks.flatMap { check in
      [Finding(check: check.name, why: check.why, what: .note("not looked at: \(reason)"))]
    }
  }

  private static func sorted(_ findings: [Finding], only chosen: Set<String>) -> [Finding] {
    let wanted = findings.filter { chosen.contains($0.check) || $0.what.severity == .problem }
    return Observation.Severity.allCases.reversed().flatMap { severity in
      wanted.filter { $0.what.severity == severity }
    }
  }
}
