internal import Config
import JobKit
import LocalTime

extension PushPlanner {
  /// What the planner would do on a day, for machines: instants in UTC.
  func facts(on day: CivilDate) -> JSON {
    let plan = plan(for: day)
    let decision = decision(on: plan)
    return [
      "kind": .string(plan.kind.rawValue), "evidence_at": JSON(plan.evidence?.description),
      "wanted": plan.wanted.json, "window": plan.window?.json ?? nil,
      "quiet_from": .string(PushWords.clock(quietHours.from)),
      "quiet_to": .string(PushWords.clock(quietHours.to)), "cut": .string(plan.cut.name),
      "minute": JSON(plan.minute?.description), "state": .string(decision.state.rawValue),
      "reason": JSON(decision.reason?.rawValue),
      "template": .string(decision.message.template.rawValue),
      "variant": JSON(decision.message.variant), "pattern": JSON(decision.message.pattern),
      "losers": .array(
        losers(to: decision.message.template, on: day).map {
          ["template": .string($0.template.rawValue), "reason": .string($0.reason)]
        }),
    ]
  }
}

extension PushRecord {
  var json: JSON {
    [
      "state": .string(state.rawValue), "reason": JSON(reason), "kind": .string(kind.rawValue),
      "window": window?.json ?? nil, "minute": JSON(minute?.description),
      "template": JSON(template), "variant": JSON(variant),
      "decided_at": .string(plannedAt.description), "sent_at": JSON(sentAt?.description),
      "ended_at": JSON(endedAt?.description), "provider": JSON(provider),
      "device_id": device.map { .integer($0.id) } ?? nil, "device_hash": JSON(device?.hash),
      "device_invalid": JSON(device?.invalidReason), "answer": JSON(answer),
      "provider_id": JSON(providerID), "tries": .integer(tries),
      "events": .array(
        events.map { ["event": .string($0.name), "at": .string($0.at.description)] }),
    ]
  }
}

extension PushWindow {
  var json: JSON { ["from": .string(from.description), "to": .string(to.description)] }
}

extension PushPlan.Cut {
  var name: String {
    switch self {
    case .whole: "whole"
    case .cut: "cut"
    case .hurried: "hurried"
    case .nothing: "nothing"
    }
  }
}
