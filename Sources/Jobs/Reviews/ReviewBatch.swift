import JobKit
import LocalTime
import Postgres

/// Brings the measures and reviews of some learners up to date, batch by batch.
struct ReviewBatch {
  let scan: IncrementalScan
  let patterns: ReviewPatterns
  let zones: ZoneTable

  /// The learners of whom attempts have arrived since the last run; nil before there was one.
  ///
  /// Then every answer is news, and whoever has none has nothing to review: to list the others would be to
  /// read every attempt once more.
  ///
  /// Only they get reviews for the day; of the others, reviews that the day has already are made true.
  let answered: LearnerList?

  /// The patterns that are measured, where these are not all: what is known of the others holds.
  let news: NewAnswers?

  /// The attempts that were read of the learners after those who were measured last, and who they are.
  private var ahead: (ids: [Int], read: [Rows])?

  init(
    scan: IncrementalScan, patterns: ReviewPatterns, zones: ZoneTable, answered: LearnerList?,
    news: NewAnswers?
  ) {
    (self.scan, self.patterns, self.zones) = (scan, patterns, zones)
    (self.answered, self.news) = (answered, news)
  }

  /// Works at these learners, while the server reads what those have done who `come` next.
  ///
  /// What arrives after it was read is news for the next run, as it is of learners who are done.
  mutating func work(
    at ids: [Int], before come: [Int], _ progress: inout Progress,
    on connection: borrowing Connection
  ) throws {
    let found = StandingsReader.rows(in: try attempts(of: ids, on: connection))
    let learners = try ReviewLearner.read(ids, in: zones, on: connection)
    // Asked of the batch, which can change, they would be copied for each row.
    let patterns = patterns
    var standings = Standings()
    let read = try connection.pipeline(statements(of: come), whileEach: found) { row in
      try standings.add(row, by: patterns)
    }
    ahead = (come, read)
    let tried = tried(by: ids)
    try standings.complete(tried, by: reader, on: connection)
    progress.counters.count("learners", learners.count)
    progress.counters.count(
      "patterns_changed", try standings.save(tried, of: learners, on: connection))
    progress.counters.count(
      "reviews_recommended", try recommend(to: learners, by: standings, &progress, on: connection))
    progress.counters.count("quarantined", try quarantine(learners, on: connection))
  }

  private func tried(by ids: [Int]) -> TriedPatterns {
    news?.patterns(of: ids) ?? TriedPatterns(learners: ids, patterns: nil)
  }

  private func statements(of ids: [Int]) -> [Statement] {
    reader.statements(of: tried(by: ids), by: ids)
  }

  private var reader: StandingsReader {
    StandingsReader(moment: scan.asOf, patterns: patterns)
  }

  /// What these learners have done: read already, unless they are the first, or others than were expected.
  private mutating func attempts(
    of ids: [Int], on connection: borrowing Connection
  ) throws(PostgresError) -> [Rows] {
    defer { ahead = nil }
    if let ahead, ahead.ids == ids { return ahead.read }
    return try connection.pipeline(statements(of: ids))
  }

  /// Makes the reviews of these learners' days what they should be; returns how many are new or other.
  ///
  /// Where the app has done one meanwhile that was to be changed, others are to be chosen.
  private func recommend(
    to learners: [ReviewLearner], by standings: Standings, _ progress: inout Progress,
    on connection: borrowing Connection
  ) throws -> Int {
    let before = progress
    let changes = changes(for: learners, standings, &progress)
    if try changes.lock(on: connection) {
      return try changes.save(at: scan.asOf, on: connection)
    }
    progress = before
    let locked = try ReviewLearner.read(
      learners.map(\.id), in: zones, locking: true, on: connection)
    return try self.changes(for: locked, standings, &progress)
      .save(at: scan.asOf, on: connection)
  }

  private func changes(
    for learners: [ReviewLearner], _ standings: Standings, _ progress: inout Progress
  ) -> ReviewChanges {
    var changes = ReviewChanges()
    for learner in learners {
      let isAnswered = answered?.contains(learner.id) ?? true
      guard let today = learner.today, isAnswered || !learner.open.isEmpty else { continue }
      let found = standings.all(of: learner.id)
      let choice = ReviewChoice(
        among: found, done: learner.done, dueBy: LeitnerBox.latestDue(by: found, on: today),
        isFree: learner.isFree, under: patterns.rules)
      let reviews = choice.reviews
      changes.add(reviews, to: learner, on: today)
      if reviews != learner.open { progress.addExample(example(of: reviews, for: learner)) }
    }
    return changes
  }

  /// As in `learner 17: would be recommended p2 (basic)`.
  private func example(of reviews: [Review], for learner: ReviewLearner) -> String {
    let words = reviews.map { "\(patterns.codes[$0.pattern] ?? "") (\($0.difficulty))" }
    return "learner \(learner.id): would be recommended \(words.joined(separator: ", "))"
  }

  private func quarantine(
    _ learners: [ReviewLearner], on connection: borrowing Connection
  ) throws -> Int {
    var quarantine = Quarantine()
    for learner in learners where learner.today == nil {
      quarantine.put(learner.id, source: "users", key: "", because: "unknown_zone")
    }
    let known = try quarantine.save(by: scan.job, at: scan.asOf, on: connection)
    return known + (try quarantineAttempts(of: learners.map(\.id), on: connection))
  }

  private func quarantineAttempts(
    of ids: [Int], on connection: borrowing Connection
  ) throws(PostgresError) -> Int {
    try connection.run(
      """
      INSERT INTO learning.quarantine (user_id, source, row_key, reason, found_at, found_by)
      SELECT user_id, 'attempts', attempt_id::text, 'answered_after_it_was_received',
        \(scan.asOf), \(scan.job)
      FROM unnest(\(ids)) AS learner (user_id) JOIN learning.attempts USING (user_id)
      WHERE \(IDRange(ids).mayJoin("attempts.user_id"))
        AND NOT \(PhoneClock.canShow("answered_at", receivedAt: "received_at"))
        AND \(scan.isNew("received_at", "written_in"))
      ON CONFLICT (user_id, source, row_key) DO NOTHING
      """
    ).affected
  }
}
