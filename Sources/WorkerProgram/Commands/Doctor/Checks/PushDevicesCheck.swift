internal import JobKit
internal import Jobs
internal import LocalTime
internal import Postgres
internal import Push
internal import Settings

/// Whether every provider that devices need is enabled, and whether tokens can be made by this host's clock.
struct PushDevicesCheck: DatabaseCheck {
  let name = "push"

  /// What the host shows; a test may turn it.
  var clock: @Sendable () -> Instant = SystemClock.now

  /// Its name is told already, by the check of the host that has it as well.
  func subject(at patient: Patient) -> String? {
    ProviderRules(patient.settings.rules).isUsed ? "learners' devices" : nil
  }

  func check(at patient: Patient, on connection: borrowing Connection) throws -> [Observation] {
    let rules = ProviderRules(patient.settings.rules)
    guard rules.isUsed else { return [] }
    let needed = try LearnerDevice.neededProviders(on: connection)
    return devices(rules.fault(needing: needed), needing: needed.map(\.rawValue))
      + (rules.apple == nil && rules.google == nil ? [] : try tokens(on: connection))
  }

  private func devices(_ fault: PushKeyFault?, needing providers: [String]) -> [Observation] {
    if let fault {
      return [
        .problem(
          "\(fault)", why: "no push of those learners leaves",
          do: "enable the provider, or let the app register devices of another")
      ]
    }
    guard !providers.isEmpty else { return [.note("no learner has a valid device")] }
    return [.ok("devices need \(providers.joined(separator: ", ")), and each is enabled")]
  }

  /// Apple takes a token for an hour, Google an assertion for some minutes, by their clocks; the database's stands for
  /// those.
  private func tokens(on connection: borrowing Connection) throws -> [Observation] {
    let before = clock()
    let skew = before - (try LedgerClock.database.now(on: connection))
    let distance = skew < .zero ? .zero - skew : skew
    guard distance > Self.most else {
      return [.ok("tokens are made by a clock that is less than 5 min from the database's")]
    }
    return [
      .problem(
        "this host's clock is \(RelativeTime.text(distance)) \(skew < .zero ? "behind" : "ahead of") the database's",
        why: "Apple and Google refuse tokens that are made by a wrong clock",
        do: "let it follow the time of the network: systemd-timesyncd or chrony")
    ]
  }

  private static let most = Duration.seconds(300)
}
