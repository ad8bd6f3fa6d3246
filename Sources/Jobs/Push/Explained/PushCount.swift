internal import Config
import JobKit
import LocalTime

/// How many pushes of a day have gone out, and will, when and with which text, and why the others do not.
///
/// Each learner is counted once: as sent, to come, too late, or kept by a rule.
struct PushCount {
  private let day: CivilDate
  private let now: Instant
  private var learners = 0
  private var total = Forecast.Share()
  private var states: [String: Int] = [:]
  private var lateReasons: [String: Int] = [:]
  private var reasons: [String: Int] = [:]
  private var utcHours: [Int: Forecast.Share] = [:]
  private var localHours: [Int: Forecast.Share] = [:]
  private var templates: [String: Forecast.Share] = [:]

  /// How many hours of the day are over for every learner.
  private var hoursOver = 24

  init(of day: CivilDate, at now: Instant) {
    (self.day, self.now) = (day, now)
  }

  /// Counts what becomes of a learner's push, by the hours of a zone; without one only why there is none.
  mutating func add(_ outlook: PushOutlook, in zone: Zone?) {
    learners += 1
    if let zone { hoursOver = min(hoursOver, hoursOver(in: zone)) }
    switch outlook {
    case .decided(let state, let instant, let template):
      states[state.rawValue, default: 0] += 1
      add(\.soFar, at: instant, in: zone, template)
    case .toCome(let instant, let template):
      add(\.toCome, at: instant, in: zone, template)
    case .tooLate(let why, let instant, let template):
      lateReasons[why.rawValue, default: 0] += 1
      add(\.tooLate, at: instant, in: zone, template)
    case .notSent(let reason):
      reasons[reason, default: 0] += 1
    }
  }

  private mutating func add(
    _ part: WritableKeyPath<Forecast.Share, Int>, at instant: Instant, in zone: Zone?,
    _ template: PushTemplate?
  ) {
    let seconds = instant.secondsSince1970
    total[keyPath: part] += 1
    utcHours[seconds - (seconds % 3600 + 3600) % 3600, default: .init()][keyPath: part] += 1
    localHours[(zone ?? .utc).local(at: instant).hour, default: .init()][keyPath: part] += 1
    if let template { templates[template.rawValue, default: .init()][keyPath: part] += 1 }
  }

  private func hoursOver(in zone: Zone) -> Int {
    let local = zone.local(at: now)
    return local.date == day ? local.hour : local.date < day ? 0 : 24
  }
}

extension PushCount {
  func forecast(by job: JobName) -> Forecast {
    let (utc, local) = (
      Forecast.Chart("hour in UTC", bars: utcBars),
      Forecast.Chart("hour of the learner", bars: localBars)
    )
    let texts = Forecast.Chart(
      "text",
      bars: templates.sorted { ($1.value.sum, $0.key) < ($0.value.sum, $1.key) }
        .map { Forecast.Bar($0.key, $0.value) })
    let charts = [
      Forecast.Chart("sent so far", bars: Self.bars(of: states)),
      Forecast.Chart("too late because", bars: Self.bars(of: lateReasons)), utc, local, texts,
      Forecast.Chart("no push because", bars: Self.bars(of: reasons)),
    ]
    return Forecast(
      heading: heading(by: job), charts: charts,
      facts: [
        "job": .string(job.text), "day": .string(day.description), "now": .string(now.description),
        "learners": .integer(learners), "pushes": .integer(total.soFar + total.toCome),
        "so_far": charts[0].json, "to_come": .integer(total.toCome), "too_late": charts[1].json,
        "by_utc_hour": utc.json, "by_local_hour": local.json, "by_template": texts.json,
        "by_reason": charts[5].json,
      ])
  }

  private func heading(by job: JobName) -> String {
    let name = "\(job) on \(day), the learner's own"
    let rest = reasons.values.reduce(0, +)
    if total.soFar + total.tooLate == 0, hoursOver < 24 {
      return "\(name): \(total.toCome) of \(learners) learners would get a push"
    }
    guard hoursOver < 24 || total.toCome > 0 else {
      return "\(name), which is over: \(total.soFar) of \(learners) learners got a push,"
        + " \(total.tooLate) would have got one and it was too late, \(rest) got none by a rule"
    }
    let local = Zone.utc.local(at: Instant(secondsSince1970: now.secondsSince1970))
    return "\(name), as of \(local.date) \(local.timeOfDay) UTC, of \(learners) learners:"
      + "\n\(total.soFar) got a push so far, \(total.toCome) are still to get one,"
      + " for \(total.tooLate) it is too late, \(rest) get none by a rule"
  }

  /// Every hour from the first that has a push to the last.
  private var utcBars: [Forecast.Bar] {
    guard let first = utcHours.keys.min(), let last = utcHours.keys.max() else { return [] }
    return stride(from: first, through: last, by: 3600).map { hour in
      let local = Zone.utc.local(at: Instant(secondsSince1970: hour))
      return Forecast.Bar(
        "\(local.date) \(local.timeOfDay)", utcHours[hour] ?? .init(),
        isOver: hour + 3600 <= now.secondsSince1970)
    }
  }

  /// Every hour of the day, so that the quiet ones are seen to be empty.
  private var localBars: [Forecast.Bar] {
    (0..<24).map { hour in
      Forecast.Bar(
        PushWords.clock(60 * hour), localHours[hour] ?? .init(), isOver: hour < hoursOver)
    }
  }

  /// The most frequent first.
  private static func bars(of counts: [String: Int]) -> [Forecast.Bar] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { Forecast.Bar($0.key, $0.value) }
  }
}

extension Forecast.Share {
  fileprivate var sum: Int { soFar + toCome + tooLate }

  fileprivate var json: JSON {
    [
      "so_far": .integer(soFar), "to_come": .integer(toCome), "too_late": .integer(tooLate),
    ]
  }
}

extension Forecast.Chart {
  fileprivate var json: JSON {
    .object(bars.map { JSON.Member($0.label, $0.share?.json ?? .integer($0.count)) })
  }
}
