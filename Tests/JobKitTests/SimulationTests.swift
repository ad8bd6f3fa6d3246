import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

@Suite("Simulation")
struct SimulationTests {
  /// Simulates `job`, whose work is `work`, from ten o'clock on 2026-03-01, for `length`.
  private func simulate(
    _ job: ScheduledJob, for length: Duration, on stage: Stage, retention: Retention? = nil,
    doing work: @escaping @Sendable (inout JobContext) throws -> Outcome = { _ in Outcome("done") },
    while goesOn: () -> Bool = { true }, hearing listener: (Simulation.Day) -> Void = { _ in }
  ) throws {
    let pool = WorkerPool(
      name: .sample(1),
      jobs: [WorkerPool.Member(job: Rehearsed(name: job.name, work: work), policies: job.policies)],
      zones: try SampleSettings.zones.get())
    let start = try stage.now
    var simulation = try Simulation.start(
      [job], pool: pool, at: start, retention: retention, on: Server(stage.database.url))
    try simulation.run(through: start + length, while: goesOn, hearing: listener)
  }

  private func stage() throws -> Stage { try Stage(at: "2026-03-01T10:00:00Z") }

  @Test func `each tick runs at its own moment, and the last one is at the end`() throws {
    let stage = try stage()

    try simulate(.sample(), for: .seconds(180), on: stage) { context in
      try context.inChunks { _, progress in
        progress.counters.count("learners", 3)
        return .finished
      }
      return Outcome("done")
    }

    #expect(try stage.runs() == (1...3).map { "2026-03-01T10:0\($0):00Z succeeded" })
    #expect(
      try stage.count(
        "SELECT count(*) FROM jobkit.run WHERE (started_at, finished_at) = (scheduled_for, scheduled_for)"
      ) == 3)
    let summary = try #require(try Ledger.summaries(on: stage.connection).first)
    #expect(summary.ticks == [.succeeded: 3])
    #expect(summary.counters["learners"] == 9)
    #expect(summary.first == (try Instant("2026-03-01T10:01:00Z")))
    #expect(summary.last == (try Instant("2026-03-01T10:03:00Z")))
  }

  @Test func `a run that is put off by jitter starts then`() throws {
    let stage = try stage()
    let job = try ScheduledJob.sample { $0.jitter = .seconds(50) }

    try simulate(job, for: .seconds(119), on: stage)

    #expect(job.delay > .zero)
    #expect(
      try stage.count(
        """
        SELECT count(*) FROM jobkit.run
        WHERE started_at = scheduled_for + make_interval(secs => \(job.delay / .seconds(1)))
        """) == 1)
  }

  @Test func `a part that fails is tried again after its waits, by the same clock`() throws {
    let stage = try stage()
    let tries = Counter()
    let job = try ScheduledJob.sample(every: .seconds(3600)) {
      $0.retry = Retry(tries: 3, first: .seconds(100), longest: .seconds(1000))
    }

    try simulate(job, for: .seconds(7200), on: stage) { _ in
      guard tries.next() >= 3 else { throw Unset(variable: "A") }
      return Outcome("done")
    }

    #expect(tries.value == 4)
    #expect(try stage.runs().map { $0.suffix(9) } == ["succeeded", "succeeded"])
    // The waits of 100 and of 200 seconds, each within a twentieth.
    #expect(
      try (285...315).contains(
        stage.count(
          "SELECT extract(epoch FROM finished_at - started_at)::bigint FROM jobkit.run WHERE id = 1"
        )))
  }

  @Test func `a run that waits too long for another is written off`() throws {
    let stage = try stage()
    let job = try ScheduledJob.sample(every: .seconds(600)) {
      $0.overlap = .queueOne
      $0.startWithin = .seconds(700)
      $0.retry = Retry(tries: 2, first: .seconds(1500), longest: .seconds(1500))
    }

    try simulate(job, for: .seconds(2300), on: stage) { _ in throw Unset(variable: "A") }

    #expect(
      try stage.runs() == [
        "2026-03-01T10:10:00Z failed",
        "2026-03-01T10:20:00Z missed an earlier run was not over in time",
        "2026-03-01T10:30:00Z skipped overlap: an earlier run is not over, and another waits for its end",
      ])
  }

  @Test func `a tick that ends the run before it ends it at once`() throws {
    let stage = try stage()
    let job = try ScheduledJob.sample(every: .seconds(600)) {
      $0.overlap = .cancelOther
      $0.retry = Retry(tries: 2, first: .seconds(900), longest: .seconds(900))
    }
    let tries = Counter()

    try simulate(job, for: .seconds(1200), on: stage) { _ in
      guard tries.next() > 1 else { throw Unset(variable: "A") }
      return Outcome("done")
    }

    #expect(
      try stage.runs() == [
        "2026-03-01T10:10:00Z cancelled cancelled by overlap of sample",
        "2026-03-01T10:20:00Z succeeded",
      ])
  }

  @Test func `each day is told of once, with what happened on it`() throws {
    let stage = try stage()
    var days: [String] = []

    try simulate(
      .sample(every: .seconds(6 * 3600)), for: .seconds(3 * 86_400), on: stage,
      hearing: { days.append("\($0.date) \($0.ticks) \($0.parts)") })

    // The rhythm beats at midnight, six, noon and six; the beginning is at ten.
    #expect(days == ["2026-03-01 2 2", "2026-03-02 4 4", "2026-03-03 4 4"])
  }

  @Test func `it stops when it is told to`() throws {
    let stage = try stage()
    let asked = Counter()

    try simulate(.sample(), for: .seconds(86_400), on: stage, while: { asked.next() <= 5 })

    #expect(try stage.runs().count == 4)
  }

  @Test func `old runs are forgotten as a daemon forgets them, when they may be`() throws {
    let stage = try stage()

    try simulate(
      .sample(every: .seconds(6 * 3600), isEnabled: false), for: .seconds(40 * 86_400), on: stage,
      retention: Retention())

    #expect(try (120...124).contains(stage.runs().count))
  }

  @Test func `a tick that nobody can decide ends the simulation with its reason`() throws {
    let stage = try stage()
    let pool = WorkerPool(name: .sample(1), jobs: [], zones: try SampleSettings.zones.get())
    var simulation = try Simulation.start(
      [.sample()], pool: pool, at: stage.now, on: Server(stage.database.url))
    try stage.connection.run("DELETE FROM jobkit.job")
    try stage.connection.run("ALTER TABLE jobkit.job ADD CONSTRAINT nobody CHECK (false)")

    let error = #expect(throws: SimulationError.self) {
      try simulation.run(through: Instant("2026-03-01T11:00:00Z"))
    }

    let words = try #require(error.map { "\($0)" })
    #expect(words.hasPrefix("the ticks of 'sample' cannot be decided: "))
    #expect(words.contains(#"violates check constraint "nobody""#))
    #expect(words.hasSuffix("; the simulation ends here"))
  }
}
