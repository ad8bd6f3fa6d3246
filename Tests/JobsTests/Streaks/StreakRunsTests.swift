@testable import JobKit
@testable import Ledger
@testable import Jobs

import LocalTime
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("Streaks, however they are run")
struct StreakRunsTests {
  private static let end = "2026-04-20T00:00:00Z"

  /// A stage with learners of random histories, all received by now.
  private func stage(learners: Int = 30) throws -> Stage {
    let stage = try Stage(at: Self.end, with: .learning)
    for learner in 1...learners {
      let history = try RandomHistory(seed: UInt64(5000 + learner))
      try stage.learner(learner, in: history.zone, autoRepair: history.autoRepair)
      try stage.insert(history.studies, of: learner)
    }
    return stage
  }

  private static let detect = DetectStreakBreaks(chunk: ChunkSize(always: 7))

  private func run(_ stage: Stage, at instant: Instant) throws -> RunRecord {
    stage.clock.turn(to: instant)
    let run = try stage.run(Self.detect)
    #expect(run.state == .succeeded, "\(run.reason ?? "")")
    return run
  }

  @Test func `each learner ends up as counted day by day, whichever job came first`() throws {
    let stage = try stage()
    var day = Instant(secondsSince1970: RandomHistory.start * 86_400)
    let end = try Instant(Self.end)
    while day < end {
      day = min(day + .seconds(19 * 3600), end)
      _ = try run(stage, at: day)
      try stage.giveBonuses(to: 1...30, at: day)
      stage.clock.turn(to: day + .seconds(3600))
      #expect(try stage.run(SettleRewards()).state == .succeeded)
    }

    for learner in 1...30 {
      let history = try RandomHistory(seed: UInt64(5000 + learner))
      var naive = NaiveStreak(
        zone: try stage.zones.zone(named: history.zone), autoRepair: history.autoRepair,
        studies: history.studies, accepted: [:])
      naive.live(until: end + .seconds(3600))
      #expect(try stage.line(of: learner) == naive.line, "learner \(learner)")
      #expect(try stage.ledger(of: learner) == naive.ledger.sorted(), "learner \(learner)")
      #expect(try Set(stage.gifts(to: learner)) == naive.gifts, "learner \(learner)")
    }
    #expect(
      try stage.count(
        """
        SELECT count(*) FROM learning.brain_tokens AS purse WHERE balance <>
          (SELECT sum(amount) FROM learning.token_entries AS line WHERE line.user_id = purse.user_id)
        """) == 0)
  }

  @Test func `a second run for the same instant writes nothing, nor does one that recomputes all`()
    throws
  {
    let stage = try stage()
    _ = try run(stage, at: Instant(Self.end))
    let (digest, writes) = (try stage.streakDigest(), try stage.streakWrites())

    let again = try run(stage, at: Instant(Self.end))
    let full = try stage.run(Self.detect, arguments: ["full": "true"])

    #expect(again.counters["extended"] == 0 && full.counters["extended"] == 0)
    #expect(full.done == 30)
    #expect(try stage.streakDigest() == digest && stage.streakWrites() == writes)
  }

  @Test func `the first run counts what happened of late, and not the history that it replays`()
    throws
  {
    let stage = try stage()

    let run = try run(stage, at: Instant(Self.end))

    let events = try stage.connection.run(
      """
      SELECT count(*) FILTER (WHERE event = 'extended' AND at >= \(stage.now - .seconds(86_400))),
        count(*) FILTER (WHERE at < \(stage.now - .seconds(86_400))) FROM learning.streak_events
      """
    ).only
    let (extended, replayed): (Int, Int) = (try events[0], try events[1])
    #expect(replayed > 100 && extended < replayed)
    #expect(run.counters["extended"] == extended && run.counters["replayed"] == replayed)
  }

  @Test func `many runs and a single late one come to the same rows`() throws {
    let (many, single) = (try stage(learners: 12), try stage(learners: 12))
    let start = Instant(secondsSince1970: RandomHistory.start * 86_400)
    for day in 0...44 { _ = try run(many, at: start.advanced(bySeconds: day * 86_400 + 3600)) }
    _ = try run(many, at: Instant(Self.end))

    _ = try run(single, at: Instant(Self.end))

    #expect(try many.streakDigest() == single.streakDigest())
  }

  @Test func `a run that is cut off between two chunks goes on and comes to the same rows`() throws
  {
    let (cut, whole) = (try stage(), try stage())
    // Whoever writes the 10th streak fails once.
    try cut.connection.run(
      script: """
        CREATE SEQUENCE learning.tries;
        CREATE FUNCTION learning.stumble() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('learning.tries') = 10 THEN RAISE 'stumbled'; END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER stumble BEFORE UPDATE ON learning.streaks
          FOR EACH ROW EXECUTE FUNCTION learning.stumble();
        """)
    let stumbled = try cut.run(Self.detect)
    let before = try cut.count("SELECT count(*) FROM learning.streaks")
    try cut.pass(.seconds(60))
    try cut.goOn(with: Self.detect)

    _ = try run(whole, at: Instant(Self.end))

    #expect(stumbled.state != .succeeded && before > 0 && before < 30)
    #expect(try cut.record(of: stumbled.id).state == .succeeded)
    #expect(try cut.streakDigest() == whole.streakDigest())
  }

  @Test func `two jobs that bring the same learners up to date at once come to the same rows`()
    throws
  {
    let (together, alone) = (try stage(), try stage())
    for stage in [together, alone] {
      for learner in 1...30 {
        try stage.reward(
          learner, 1, key: "a", kind: "bonus", receivedAt: "2026-04-19T12:00:00Z")
      }
    }
    let now = try together.now
    for job in [Self.detect as any Job, SettleRewards()] {
      let request = Ledger.RunRequest(
        job.definition.name, for: now, parts: job.definition.parts,
        policies: job.definition.policies, by: "test")
      _ = try Ledger.enter(request, at: now, on: together.connection)
    }
    let failures = try together.workAtOnce(
      [[Self.detect], [SettleRewards()], [Self.detect, SettleRewards()]])

    _ = try run(alone, at: now)
    _ = try alone.run(SettleRewards())

    #expect(failures == [])
    #expect(try together.runs(of: "settle_rewards") == ["\(now) succeeded"])
    #expect(try together.runs(of: "detect_streak_breaks") == ["\(now) succeeded"])
    #expect(try together.streakDigest() == alone.streakDigest())
    #expect(try together.rewardDigest() == alone.rewardDigest())
  }

  @Test func `a study that arrives while the run goes on is seen by the next, once`() throws {
    let stage = try Stage(at: "2026-03-05T03:00:00Z", with: .learning)
    try stage.learner(1, autoRepair: true)
    try stage.hold(tokens: 1, of: 1)
    try stage.study(1, on: "2026-03-02", "2026-03-03")
    let run = try stage.database.connect().transaction { app in
      try Stage.study(1, "2026-03-04", receivedAt: "2026-03-05T02:59:00Z", on: app)
      let run = try stage.run(Self.detect)
      try Stage.study(1, "2026-03-04", receivedAt: "2026-03-05T02:59:30Z", on: app)
      return run
    }

    _ = try self.run(stage, at: Instant("2026-03-05T03:15:00Z"))
    _ = try self.run(stage, at: Instant("2026-03-05T03:30:00Z"))

    #expect(run.counters["tokens_spent"] == 1)
    #expect(try stage.streak(of: 1) == "kept 3 2026-03-02 2026-03-04")
    #expect(try stage.tokens(of: 1) == "1 returned:2026-03-04 returned, spent:2026-03-04 spent")
  }

  @Test func `whoever accepts an offer waits until a run has decided on it`() throws {
    let stage = try Stage(at: "2026-03-05T03:00:00Z", with: .learning)
    for learner in 1...2 {
      try stage.learner(learner)
      try stage.hold(tokens: 1, of: learner)
      try stage.study(learner, on: "2026-03-02", "2026-03-03")
    }
    try stage.study(2, "2026-03-04", receivedAt: "2026-03-04T12:00:00Z")
    _ = try run(stage, at: stage.now)
    let store = StreakStore(
      rules: StreakRules(), job: JobDefinition.detectStreakBreaks.name, moment: try stage.now,
      zones: KnownZones(of: stage.zones), news: StreakNews(LearnerList([])), readsAll: false)
    let app = try stage.database.connect()

    let refusal = try stage.connection.transaction { connection in
      _ = try store.open([1, 2], on: connection)
      return #expect(throws: PostgresError.self) {
        try app.run(
          "SELECT FROM learning.streak_repairs WHERE state = 'offered' FOR UPDATE NOWAIT")
      }
    }

    #expect(refusal?.report?.sqlState == "55P03")
  }
}
