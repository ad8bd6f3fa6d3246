import LocalTime

/// Feeds `count` texts to the cron parser, and searches with those it accepts.
///
/// Returns how many were accepted; throws the first that breaks a promise.
func fuzzCron(seed: UInt64, count: Int) throws(FuzzFailure) -> Int {
  var random = FuzzGenerator(seed: seed)
  var accepted = 0
  for _ in 0..<count {
    let text = cronText(&random)
    guard let cron = try? Cron(text) else { continue }
    accepted += 1
    let from = Instant(secondsSince1970: .random(in: -1 << 33...1 << 33, using: &random))
    try checkSearch(CronSchedule(cron, in: .utc), from: from)
  }
  return accepted
}

/// That next moves on, that previous is its mirror, and that only skipped times may end.
func checkSearch(_ schedule: CronSchedule, from: Instant) throws(FuzzFailure) {
  let subject = "'\(schedule.cron)' \(schedule.dst) in \(schedule.zone.name) from \(from)"
  guard let next = schedule.next(after: from), let after = schedule.next(after: next.instant)
  else {
    guard schedule.dst == .skipMissing else { throw FuzzFailure(fact: "\(subject) ends") }
    return
  }
  guard next.instant > from, after.instant > next.instant else {
    throw FuzzFailure(fact: "\(subject) does not move on")
  }
  guard schedule.previous(before: after.instant) == next else {
    throw FuzzFailure(fact: "\(subject) goes back elsewhere")
  }
}

private let fieldTexts = [
  "*", "*/7", "*/2", "0", "1", "5", "1-5", "0-23", "2,4", "L", "5L", "MON#1", "FRI-SUN", "29", "2",
  "59", "JAN", "10-20/3", "5/2", "22-2",
]
private let scraps: [String] =
  fieldTexts + [
    ",", "-", "/", "#", "@daily", "@every 5m", "?", "W", "H", "~", "+", "٥", "\u{301}", "\0",
    "\r\n",
    "99999999999999999999", "\t", "🕰",
  ] + Array(repeating: " ", count: 12)

/// Half of the time fields that may be right, half of the time scraps in any order.
private func cronText(_ random: inout FuzzGenerator) -> String {
  let isOrderly = Bool.random(using: &random)
  let count =
    isOrderly ? Int.random(in: 5...6, using: &random) : .random(in: 0...16, using: &random)
  let parts = (0..<count).compactMap { _ in
    (isOrderly ? fieldTexts : scraps).randomElement(using: &random)
  }
  return parts.joined(separator: isOrderly ? " " : "")
}
