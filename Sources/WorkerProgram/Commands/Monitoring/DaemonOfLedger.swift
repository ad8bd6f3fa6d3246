internal import JobKit
internal import Ledger
internal import Postgres
internal import Runner
internal import Settings

/// Holds the daemon that answered against the ledger of the settings: at the same address another database's may be.
enum DaemonOfLedger {
  /// The daemon that an answer names; nothing before its ledger knows it.
  static func name(in json: String) -> String? {
    json.firstMatch(of: #/"daemon":"([^"\\]+)"/#).map { String($0.output.1) }
  }

  /// Turns what a daemon of another database says into a problem; returns what could not be found out.
  ///
  /// That the process lives is true of any daemon, and a liveness probe must ask no database.
  static func check(
    _ findings: inout [HealthAnswer.Finding], from address: HttpAddress, _ arguments: Arguments
  ) -> [String] {
    let praised = findings.indices.filter {
      findings[$0].aspect != .live && findings[$0].isHealthy && findings[$0].daemon != nil
    }
    guard let first = praised.first, let daemon = findings[first].daemon else { return [] }
    do {
      guard try !isKnown(daemon, arguments) else { return [] }
    } catch {
      return [
        "the daemon that answers at \(address) is \(daemon): whether it works for the database of these"
          + " settings is not known: \(Failure(error).lines.joined(separator: "; "))"
      ]
    }
    for index in praised {
      findings[index] = HealthAnswer.Finding(
        HealthReport(
          findings[index].aspect, [.otherDatabase(address: "\(address)", daemon: daemon)]))
    }
    return []
  }

  private static func isKnown(_ daemon: String, _ arguments: Arguments) throws -> Bool {
    let session = try LedgerSession.openLedger(arguments)
    return try Ledger.daemons(on: session.connection).contains { $0.name == daemon }
  }
}
