import LocalTime
import Push

/// What becomes of a planned push in its minute.
enum DeliveryDecision: Equatable {
  /// It may leave, but only before an instant from which on it would be judged otherwise.
  case send(PushMessage, to: DuePush.Device, before: Instant)

  /// It will not go out on this local day, unless it is planned anew.
  case suppressed(String)

  /// It would be late.
  case expired(String)

  /// A provider has refused every device that there was.
  case failed(String)

  /// Decides by what is known of the learner at `now`, the instant at which it would leave.
  static func decide(
    _ push: DuePush, at now: Instant, in zones: inout KnownZones, by rules: DeliveryRules,
    saying messages: MessageCatalogue
  ) throws(ZoneError) -> DeliveryDecision {
    guard now < push.plan.windowTo else { return .expired("window_passed") }
    guard let zone = try zones.zone(named: push.learner.zone) else {
      return .suppressed("unknown_zone")
    }
    if let reason = push.learner.eligibility.objection { return .suppressed(reason.rawValue) }
    guard let device = push.device else {
      let isRefused = push.plan.lastReason == Reason.refused
      return isRefused ? .failed(Reason.refused) : .suppressed("no_device")
    }
    if let reason = objection(to: push, at: now, in: zone, by: rules) { return .suppressed(reason) }
    guard let texts = messages.texts(in: push.learner.locale),
      let words = messages.words(
        push.plan.template, variant: push.plan.variant, from: texts,
        with: push.facts(in: texts.language))
    else { return .suppressed("no_text") }
    let dayZone = try zones.zone(named: push.plan.dayZone) ?? zone
    let quiet = quietHours(of: push, by: rules).nextBeginning(from: now, in: zone)
    let expiry = expiry(of: push, at: now, inDayOf: dayZone, quietFrom: quiet)
    return .send(
      push.message(words, to: device, expiringAt: expiry), to: device,
      before: min(push.plan.windowTo, push.localDayEnd(in: zone), quiet ?? push.plan.windowTo))
  }

  /// Words that stand as a push's reason between two tries.
  enum Reason {
    static let refused = "refused"
    static let notSent = "not_sent"
  }
}

extension DeliveryDecision {
  private static func objection(
    to push: DuePush, at now: Instant, in zone: Zone, by rules: DeliveryRules
  ) -> String? {
    // Who has flown west may have yesterday again, and who has flown east may have tomorrow already.
    if zone.localDay(of: now) != push.plan.localDay { return "other_day" }
    if push.isOvertaken { return "studied_meanwhile" }
    if quietHours(of: push, by: rules).contain(now, in: zone) { return "quiet_hours" }
    if let last = push.lastPush, now - last < rules.gap { return "capped" }
    return nil
  }

  private static func quietHours(of push: DuePush, by rules: DeliveryRules) -> QuietHours {
    push.learner.quietHours ?? rules.quietHours
  }

  /// The last instant at which a provider may deliver it: before quiet hours, and on its local day.
  private static func expiry(
    of push: DuePush, at now: Instant, inDayOf dayZone: Zone, quietFrom quiet: Instant?
  ) -> Instant {
    let endOfDay = push.localDayEnd(in: dayZone)
    return max(min(quiet ?? endOfDay, endOfDay), now)
  }
}

extension DuePush {
  fileprivate func localDayEnd(in zone: Zone) -> Instant {
    zone.startOfDay(plan.localDay.advanced(by: 1))
  }

  fileprivate func message(
    _ words: (title: String, body: String), to device: Device, expiringAt expiry: Instant
  ) -> PushMessage {
    var message = PushMessage(
      id: id, provider: device.provider, isSandbox: device.isSandbox, token: device.token,
      title: words.title, body: words.body, link: plan.template.link(pattern: plan.pattern?.code),
      expiresAt: expiry.secondsSince1970, registeredAt: device.registeredAt)
    message.dueAt = plan.dueAt
    return message
  }
}
