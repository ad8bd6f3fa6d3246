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

private let numbers = ["*", "*/2", "*/5", "*/7", "1", "2", "5", "1-5", "2,4", "3-11/4", "7"]
/// What each field may hold, seconds first.
private let fieldTexts = [
  numbers + ["0", "59", "0-59"], numbers + ["0", "59", "*/40"], numbers + ["0", "23", "0-23"],
  numbers + ["L", "29", "30", "31"], numbers + ["JAN", "FEB", "11-12"],
  numbers + ["MON#1", "5L", "SUN#5", "FRI-SUN"],
]
private let scraps =
  fieldTexts.joined() + [
    ",", "-", "/", "#", "@daily", "@every 5m", "?", "W", "H", "~", "+", "٥", "\u{301}", "\0",
    "\r\n",
    "99999999999999999999", "\t", "🕰", "22-2", "5/2", "60",
  ] + Array(repeating: " ", count: 24)

/// Mostly fields that may be right, else scraps in any order.
private func cronText(_ random: inout FuzzGenerator) -> String {
  guard Int.random(in: 0...3, using: &random) > 0 else {
    return (0..<Int.random(in: 0...16, using: &random))
      .compactMap { _ in scraps.randomElement(using: &random) }.joined()
  }
  let fields = fieldTexts.suffix(Int.random(in: 5...6, using: &random))
  var texts = fields.compactMap { $0.randomElement(using: &random) }
  if Int.random(in: 0...9, using: &random) == 0 {
    texts[0] = scraps.randomElement(using: &random) ?? ""
  }
  return texts.joined(separator: " ")
}
