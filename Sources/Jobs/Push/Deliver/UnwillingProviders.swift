import Push

/// Providers that took none of a window's pushes: the same part of a run does not ask them again, and
/// they keep no other's pushes waiting.
struct UnwillingProviders {
  private var found: Set<Place> = []

  func contains(_ sending: PushClaim.Sending) -> Bool { found.contains(Place(of: sending)) }

  /// Looks for such among those that were asked to take a window.
  mutating func find(in sendings: [PushClaim.Sending], by deliveries: [Delivery]) {
    let places = sendings.map(Place.init)
    let willing = zip(places, deliveries).filter { !$1.neverLeft }.map(\.0)
    found.formUnion(Set(places).subtracting(willing))
  }

  /// Their names, sorted.
  var names: [String] { found.map(\.name).sorted() }

  /// Devices that have the app from a workshop have a provider of their own.
  private struct Place: Hashable {
    let provider: PushProvider
    let isSandbox: Bool

    init(of sending: PushClaim.Sending) {
      (provider, isSandbox) = (sending.device.provider, sending.device.isSandbox)
    }

    var name: String { isSandbox ? "the sandbox of \(provider.rawValue)" : provider.rawValue }
  }
}

extension Delivery {
  fileprivate var neverLeft: Bool { if case .notSent = self { true } else { false } }
}
