import Push

/// Providers that took none of a window's pushes: the same part of a run does not ask them again, and
/// they keep no other's pushes waiting.
struct FailingProviders {
  /// Why each took the first of them not.
  private var found: [Place: String] = [:]

  func contains(_ sending: PushClaim.ClaimedPush) -> Bool { found[Place(of: sending)] != nil }

  /// Looks for such among those that were asked to take a window.
  mutating func find(in claimed: [PushClaim.ClaimedPush], by deliveries: [Delivery]) {
    let answers = zip(claimed.map(Place.init), deliveries)
    let willing = Set(answers.filter { $1.reasonNotToLeave == nil }.map(\.0))
    for (place, delivery) in answers where !willing.contains(place) && found[place] == nil {
      found[place] = delivery.reasonNotToLeave
    }
  }

  /// Their names with their reasons, sorted: as in `apns (no space left on device)`.
  var names: [String] {
    found.map { place, reason in reason.isEmpty ? place.name : "\(place.name) (\(reason))" }
      .sorted()
  }

  /// Devices that have a sandbox build of the app have a provider of their own.
  private struct Place: Hashable {
    let provider: PushProvider
    let isSandbox: Bool

    init(of sending: PushClaim.ClaimedPush) {
      (provider, isSandbox) = (sending.device.provider, sending.device.isSandbox)
    }

    var name: String { isSandbox ? "the sandbox of \(provider.rawValue)" : provider.rawValue }
  }
}

extension Delivery {
  fileprivate var reasonNotToLeave: String? {
    if case .notSent(let reason, _) = self { reason } else { nil }
  }
}
