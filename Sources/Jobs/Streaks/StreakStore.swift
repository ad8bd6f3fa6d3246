import JobKit
import LocalTime
import Postgres

/// Brings the streaks of a batch of learners up to date, in the transaction of a chunk.
///
/// Whichever job comes first, and however many come at once, the rows are the same: a learner's streak is
/// locked before anything of it is read.
struct StreakStore {
  let rules: StreakRules
  let job: JobName
  let moment: Instant
  var zones: KnownZones

  /// What has arrived that the streaks do not know of.
  let news: StreakNews

  /// Whether every learner's whole history is read.
  let readsAll: Bool

  /// Since when what happens to streaks is news; nothing: all of it is.
  ///
  /// What a first run replays of the days before is history, and is counted as that.
  var newsFrom: Instant?
}

extension StreakStore {
  /// The book of a run; a job that looks at every session has done so up to `mark`, or never.
  init(
    of job: JobName, by rules: StreakRules, asOf moment: Instant, since mark: Watermark?,
    in context: borrowing JobContext
  ) throws {
    self.rules = rules
    self.job = job
    self.moment = moment
    zones = KnownZones(of: context.zones)
    newsFrom = mark == nil ? moment - Self.firstDay : nil
    guard let mark, context.arguments["full"] != "true" else {
      (news, readsAll) = (StreakNews(LearnerList([])), true)
      return
    }
    (news, readsAll) = (try StreakNews(since: mark, asOf: moment, in: context), false)
  }

  /// How far back the first run of all tells what happened: before that there was nobody to tell it.
  private static let firstDay = Duration.seconds(86_400)

  /// Whose streak may become another: whose day may be over, and of whom there is news; nothing when that may be
  /// anybody.
  func learnersToUpdate(in context: borrowing JobContext) throws -> LearnerList? {
    guard !readsAll else { return nil }
    return try LearnerList(of: .found(by: DetectStreakBreaks.due(asOf: moment)), in: context)
      .union(news.learners)
  }
}

extension StreakStore {
  /// Updates the streaks of `learners`, which are in order, and counts what has changed.
  mutating func update(
    _ learners: [Int], on connection: borrowing Connection, _ progress: inout Progress
  ) throws {
    guard !learners.isEmpty else { return }
    try connection.run(PlanSettings.byIndex)
    let streaks = try open(learners, on: connection)
    var findings = Findings()
    try decide(for: streaks.map(question), &findings, on: connection)
    let unclear = streaks.filter { findings.unclear.contains($0.learner) }
      .map { StreakQuestion($0, reaching: .everything, at: moment) }
    try decide(for: unclear, &findings, on: connection)
    try forget(findings.homeless, on: connection)
    try write(findings.pages, on: connection, &progress.counters)
    let found = try findings.quarantine.save(by: job, at: moment, on: connection)
    if found > 0 { progress.counters.count("quarantined", found) }
    for page in findings.pages {
      if let event = page.changes.events.first { progress.addExample(page.example(of: event)) }
    }
  }

  private func question(of streak: StreakRow) -> StreakQuestion {
    let isWhole = readsAll || news.late.contains(streak.learner)
    let isNews = news.learners.contains(streak.learner)
    return StreakQuestion(
      streak, reaching: isWhole ? .everything : isNews ? .lately(newsFrom: news.from) : .onwards,
      at: moment)
  }

  /// What was decided of a learner, from what.
  struct Page {
    let facts: StreakFacts
    let changes: StreakChanges

    /// As in `learner 17: broken on 2026-03-02, 12 -> 0 days`.
    fileprivate func example(of event: StreakEvent) -> String {
      "learner \(facts.learner): \(event.kind.rawValue) on \(event.day),"
        + " \(event.lengthBefore) -> \(event.lengthAfter) days"
    }
  }

  /// What was found of a batch of learners.
  struct Findings {
    fileprivate(set) var pages: [Page] = []

    /// The learners of whom more has to be read.
    fileprivate(set) var unclear: Set<Int> = []

    /// The learners whose zone is unknown.
    var homeless: [Int] = []
    var quarantine = Quarantine()

    mutating func decide(_ facts: StreakFacts, by rules: StreakRules) {
      do throws(HistoryTooShort) {
        pages.append(Page(facts: facts, changes: try StreakReducer.changes(facts, by: rules)))
      } catch {
        unclear.insert(facts.learner)
      }
    }
  }
}
