import Dispatch
import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

/// Threads that go round together: none begins a round before all have ended the one before.
///
/// There is one clock, so no scheduler is rounds behind the others.
private final class Together: Sendable {
  private let begin: [DispatchSemaphore]
  private let end = DispatchSemaphore(value: 0)

  init(_ count: Int) {
    begin = (0..<count).map { _ in DispatchSemaphore(value: 0) }
  }

  func goRound<Value>(_ number: Int, _ work: () throws -> Value) rethrows -> Value {
    begin[number].wait()
    defer { end.signal() }
    return try work()
  }

  /// Lets all go round once, and waits for them.
  func lead() throws {
    begin.forEach { $0.signal() }
    for _ in begin { try #require(end.wait(timeout: .now() + 300) == .success) }
  }
}

/// Schedulers that believe they are alone, and jobs that go wrong beside others.
@Suite("Believers and bad jobs")
struct BelieverTests {
  @Test func `believers on connections of their own write each tick once, round after round`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let job = try ScheduledJob.sample(every: .seconds(1), parts: 2) {
      $0.overlap = .allow
      $0.catchUp = CatchUp(.all, most: 1000)
    }
    let (database, clock, rounds, together) = (stage.database, stage.clock, 150, Together(4))
    _ = try stage.scheduler(job)
    let believers = (0..<4).map { number in
      TestThread {
        let connection = try database.connect()
        var scheduler = Scheduler([job], daemon: "daemon \(number)")
        try scheduler.start(at: clock.now(on: connection), on: connection)
        return try (1...rounds).map { round in
          try together.goRound(number) {
            let now = try Instant("2026-03-01T10:00:00Z") + .seconds(round)
            let pass = try scheduler.pass(at: now, on: connection)
            #expect(pass.failures.isEmpty)
            return pass.decided.map(\.ticks.count).reduce(0, +)
          }
        }.reduce(0, +)
      }
    }
    for _ in 1...rounds { try together.lead() }
    let decided = try believers.map { try $0.value() }

    #expect(decided.reduce(0, +) == rounds)
    #expect(try stage.count("SELECT count(*) FROM jobkit.run") == rounds)
    #expect(try stage.count("SELECT count(*) FROM jobkit.part") == 2 * rounds)
    #expect(try stage.count("SELECT count(DISTINCT scheduled_for) FROM jobkit.run") == rounds)
  }

  @Test func `a job that cannot be entered anew stops no other, and is tried now and then`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample("bad"), .sample(every: .seconds(1)))
    try stage.connection.run("DELETE FROM jobkit.job WHERE name = 'bad'")
    try stage.connection.run(
      "ALTER TABLE jobkit.job ADD CONSTRAINT no_bad_job CHECK (name <> 'bad')")

    stage.clock.turn(to: try Instant("2026-03-01T10:01:00Z"))
    let first = try scheduler.pass(at: stage.now, on: stage.connection)
    let second = try scheduler.pass(at: stage.now, on: stage.connection)
    stage.clock.turn(to: try Instant("2026-03-01T10:01:01Z"))
    let third = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(first.failures.map(\.job) == ["bad"])
    #expect(first.failures.allSatisfy { "\($0.error)".contains("no_bad_job") })
    #expect(first.decided.map(\.job) == ["sample"])
    #expect(second.failures.isEmpty)
    #expect(second.nextTick == (try Instant("2026-03-01T10:01:01Z")))
    #expect(third.failures.count == 1 && third.decided.map(\.job) == ["sample"])
  }

  @Test func `a job that a constraint refuses stops no other, and goes on when it is mended`()
    throws
  {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample("bad"), .sample())
    try stage.connection.run(
      "ALTER TABLE jobkit.run ADD CONSTRAINT no_bad_job CHECK (job <> 'bad')")

    stage.clock.turn(to: try Instant("2026-03-01T10:01:00Z"))
    let broken = try scheduler.pass(at: stage.now, on: stage.connection)
    try stage.connection.run("ALTER TABLE jobkit.run DROP CONSTRAINT no_bad_job")
    stage.clock.turn(to: try #require(broken.nextTick))
    let mended = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(broken.failures.map(\.job) == ["bad"])
    #expect(broken.decided.map(\.job) == ["sample"])
    #expect(mended.decided.map(\.job) == ["bad"])
    #expect(try stage.runs(of: "bad") == ["2026-03-01T10:01:00Z due"])
    #expect(try stage.runs() == ["2026-03-01T10:01:00Z due"])
  }

  @Test func `a job whose row somebody holds is passed over`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var scheduler = try stage.scheduler(.sample("held"), .sample())
    let other = try stage.database.connect()
    stage.clock.turn(to: try Instant("2026-03-01T10:01:00Z"))

    let pass = try other.transaction { other in
      try other.run("SELECT FROM jobkit.job WHERE name = 'held' FOR UPDATE")
      return try scheduler.pass(at: stage.now, on: stage.connection)
    }

    #expect(pass.failures.map(\.job) == ["held"])
    #expect(pass.failures.allSatisfy { "\($0.error)".contains("SQLSTATE 55P03") })
    #expect(pass.decided.map(\.job) == ["sample"])
  }

  @Test func `another schedule begins where the old one was decided`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    var hourly = try stage.scheduler(.sample(every: .seconds(3600)) { $0.overlap = .allow })
    stage.clock.turn(to: try Instant("2026-03-01T11:00:00Z"))
    _ = try hourly.pass(at: stage.now, on: stage.connection)

    stage.clock.turn(to: try Instant("2026-03-01T11:00:30Z"))
    var changed = try stage.scheduler(.sample(every: .seconds(60)) { $0.overlap = .allow })
    _ = try changed.pass(at: stage.now, on: stage.connection)
    stage.clock.turn(to: try Instant("2026-03-01T11:01:00Z"))
    _ = try changed.pass(at: stage.now, on: stage.connection)
    var back = try stage.scheduler(.sample(every: .seconds(3600)) { $0.overlap = .allow })
    stage.clock.turn(to: try Instant("2026-03-01T12:00:00Z"))
    _ = try back.pass(at: stage.now, on: stage.connection)

    #expect(
      try stage.runs() == [
        "2026-03-01T11:00:00Z due", "2026-03-01T11:01:00Z due", "2026-03-01T12:00:00Z due",
      ])
  }

  @Test func `a job that is new to the ledger has no past`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:30Z")

    var scheduler = try stage.scheduler(.sample())
    let pass = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(pass.decided.isEmpty)
    #expect(pass.nextTick == (try Instant("2026-03-01T10:01:00Z")))
  }

  @Test func `catching up all runs the newest few and tells of the others`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let job = try ScheduledJob.sample { $0.catchUp = CatchUp(.all, most: 2) }
    _ = try stage.scheduler(job)

    stage.clock.turn(to: try Instant("2026-03-01T10:04:00Z"))
    var restarted = try stage.scheduler(job)
    _ = try restarted.pass(at: stage.now, on: stage.connection)

    let surplus = "missed no daemon was looking; more ticks were missed than may be run at once"
    #expect(
      try stage.runs() == [
        "2026-03-01T10:01:00Z \(surplus)", "2026-03-01T10:02:00Z \(surplus)",
        "2026-03-01T10:03:00Z due", "2026-03-01T10:04:00Z due",
      ])
  }

  @Test func `jitter puts off the start and keeps the moment`() throws {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    let job = try ScheduledJob.sample { $0.jitter = .seconds(30) }
    var scheduler = try stage.scheduler(job)

    stage.clock.turn(to: try Instant("2026-03-01T10:01:00Z"))
    _ = try scheduler.pass(at: stage.now, on: stage.connection)

    let part = try #require(try Ledger.parts(of: 1, on: stage.connection).first)
    #expect(part.notBefore == (try stage.now) + job.delay)
    #expect(try stage.runs() == ["2026-03-01T10:01:00Z due"])
  }
}
