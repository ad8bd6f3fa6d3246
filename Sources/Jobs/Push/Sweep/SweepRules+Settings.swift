internal import Config
import JobKit

/// What the settings may change of closing pushes: the last of the table `[push]`.
extension SweepRules {
  private static let deadDevicesStay = Rule(
    "push", "dead_devices_stay", Duration.seconds(180 * 86_400),
    in: .seconds(86_400)...(.seconds(3660 * 86_400)))

  static let settings = [AnyRule(deadDevicesStay)]

  init(_ store: RuleBook) {
    self.init(deadDevicesStay: store[Self.deadDevicesStay])
  }
}
