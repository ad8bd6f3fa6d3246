import JobKit
import LocalTime

/// How many pushes of a day go out when, with which text, and why the others do not.
struct PushCount {
  private let day: CivilDate
  private var learners = 0
  private var utcHours: [Int: Int] = [:]
  private var localHours: [Int: Int] = [:]
  private var templates: [String: Int] = [:]
  private var reasons: [String: Int] = [:]

  init(of day: CivilDate) {
    self.day = day
  }

  /// Counts what was decided of a learner; without a zone there is nothing to decide.
  mutating func add(_ decision: PushDecision?, in zone: Zone?) {
    learners += 1
    guard let decision, let zone else {
      reasons[PushReason.unknownZone.rawValue, default: 0] += 1
      return
    }
    guard decision.state == .planned, let minute = decision.plan.minute else {
      reasons[decision.reason?.rawValue ?? "", default: 0] += 1
      return
    }
    let hour = minute.secondsSince1970 - minute.secondsSince1970 % 3600
    utcHours[hour, default: 0] += 1
    localHours[zone.local(at: minute).hour, default: 0] += 1
    templates[decision.message.template.rawValue, default: 0] += 1
  }

  func forecast(by job: JobName) -> Forecast {
    let charts = [
      Forecast.Chart("hour in UTC", bars: utcBars),
      Forecast.Chart("hour of the learner", bars: localBars),
      Forecast.Chart("text", bars: Self.bars(of: templates)),
      Forecast.Chart("no push because", bars: Self.bars(of: reasons)),
    ]
    let pushes = utcHours.values.reduce(0, +)
    return Forecast(
      heading:
        "\(job) on \(day), the learner's own: \(pushes) of \(learners) learners would get a push",
      charts: charts,
      facts: [
        "job": .string(job.text), "day": .string(day.description), "learners": .integer(learners),
        "pushes": .integer(pushes), "by_utc_hour": charts[0].json, "by_local_hour": charts[1].json,
        "by_template": charts[2].json, "by_reason": charts[3].json,
      ])
  }

  /// Every hour from the first that has a push to the last.
  private var utcBars: [Forecast.Bar] {
    guard let first = utcHours.keys.min(), let last = utcHours.keys.max() else { return [] }
    return stride(from: first, through: last, by: 3600).map { hour in
      let local = Zone.utc.local(at: Instant(secondsSince1970: hour))
      return Forecast.Bar("\(local.date) \(local.timeOfDay)", utcHours[hour] ?? 0)
    }
  }

  /// Every hour of the day, so that the quiet ones are seen to be empty.
  private var localBars: [Forecast.Bar] {
    (0..<24).map { Forecast.Bar(PushWords.clock(60 * $0), localHours[$0] ?? 0) }
  }

  /// The most frequent first.
  private static func bars(of counts: [String: Int]) -> [Forecast.Bar] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { Forecast.Bar($0.key, $0.value) }
  }
}

extension Forecast.Chart {
  fileprivate var json: JSON {
    .object(bars.map { JSON.Member($0.label, .integer($0.count)) })
  }
}
