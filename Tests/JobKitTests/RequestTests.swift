@testable import JobKit
@testable import Ledger

import LocalTime
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

/// What an app asks for by `jobkit.request()`, and what becomes of it.
@Suite("Requests of the app")
struct RequestTests {
  private let stage: Stage

  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
    _ = try stage.scheduler(.sample())
    try stage.offer(.sample(parts: 2))
  }

  @Test func `a request of a transaction that is rolled back leaves nothing`() throws {
    let app = try stage.database.connect()

    try app.run(script: "BEGIN; SELECT jobkit.request('sample', key => 'a'); ROLLBACK")

    #expect(try stage.count("SELECT count(*) FROM jobkit.run") == 0)
    #expect(try stage.request("sample", key: "a") == "2 true")
  }

  @Test func `a run that becomes due has the parts, arguments and policies of its job`() throws {
    try stage.offer(.sample(parts: 2) { ($0.priority, $0.overlap) = (7, .allow) }, percent: 5)

    #expect(
      try stage.request("sample", #"{"full": true, "day": "2026-02-28", "n": 12}"#) == "1 true")
    let waiting = try stage.state()
    #expect(try stage.makeDue() == 2)

    let part = try stage.claimOne()
    #expect(waiting == "waiting ")
    #expect(part.trigger == .request)
    #expect(part.arguments == ["full": "true", "day": "2026-02-28", "n": "12"])
    #expect(
      try stage.text(
        """
        SELECT concat_ws(' ', decided_by = session_user, exclusive, run.priority, percent, parts, part.priority)
        FROM jobkit.run JOIN jobkit.part ON run = id AND number = 0
        """) == "t f 7 5 2 7")
  }

  @Test func `a key gets the run that it has, of its job, until that run is deleted`() throws {
    try stage.offer(.sample("other"))

    #expect(try stage.request("sample", key: "a") == "1 true")
    #expect(try stage.request("sample", key: "a") == "1 false")
    #expect(try stage.request("other", key: "a") == "2 true")
    try stage.connection.run("DELETE FROM jobkit.run WHERE id = 1")
    #expect(try stage.request("sample", key: "a") == "3 true")
  }

  @Test func `of two transactions that ask at once with one key the second waits for the first`()
    throws
  {
    let first = try stage.database.connect()
    let url = stage.database.url
    try first.run(script: "BEGIN; SELECT jobkit.request('sample', key => 'a')")
    let second = TestThread {
      try Connection(to: Server(url)).run(
        "SELECT run || ' ' || is_new AS is FROM jobkit.request('sample', key => 'a')"
      ).only["is", as: String.self]
    }
    try eventually {
      try stage.count("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0
    }
    try first.run(script: "COMMIT")

    #expect(try second.value() == "1 false")
    #expect(try stage.count("SELECT count(*) FROM jobkit.run") == 1)
  }

  @Test func `a run is due from its time on, and nothing waits behind it until then`() throws {
    var scheduler = try stage.scheduler(.sample())
    _ = try stage.request("sample", at: "2026-03-01T12:00:00Z")

    try stage.pass(.seconds(60))
    #expect(try stage.makeDue() == 0)
    _ = try scheduler.pass(at: stage.now, on: stage.connection)
    let tick = try stage.claimOne()
    try stage.finish(tick)
    stage.clock.turn(to: try Instant("2026-03-01T12:00:00Z"))

    #expect(tick.trigger == .schedule)
    #expect(try stage.makeDue() == 2)
    #expect(try stage.claimOne().scheduledFor == Instant("2026-03-01T12:00:00Z"))
  }

  @Test func `an app whose transaction is open keeps nobody from deciding the ticks of the job`()
    throws
  {
    var scheduler = try stage.scheduler(.sample())
    let app = try stage.database.connect()
    try app.run(script: "BEGIN; SELECT jobkit.request('sample')")

    try stage.pass(.seconds(60))
    let pass = try scheduler.pass(at: stage.now, on: stage.connection)

    #expect(pass.failures.map { "\($0.error)" } == [])
    #expect(pass.decided.map(\.job) == ["sample"])
    try app.run(script: "COMMIT")
  }

  @Test(arguments: [
    "paused_at = 'epoch', paused_by = 'ana', pause_reason = 'incident'",
    "blocked_since = 'epoch', blocked_because = 'a table is missing'",
  ])
  func `while its job is paused or blocked a request waits`(trouble: String) throws {
    try stage.connection.run(script: "UPDATE jobkit.job SET \(trouble)")
    _ = try stage.request("sample")

    let held = (try stage.hasRequests(), try stage.makeDue())
    try stage.connection.run(
      """
      UPDATE jobkit.job SET paused_at = NULL, paused_by = NULL, pause_reason = NULL,
        blocked_since = NULL, blocked_because = NULL
      """)

    #expect(held == (false, 0))
    #expect(try stage.hasRequests())
    #expect(try stage.makeDue() == 2)
    #expect(try !stage.hasRequests())
  }

  @Test func `a pause that has ended keeps no request`() throws {
    try stage.connection.run(
      """
      UPDATE jobkit.job SET paused_at = 'epoch', paused_by = 'ana', pause_reason = 'incident',
        paused_until = '2026-03-01T10:00:00Z'
      """)
    _ = try stage.request("sample")

    #expect(try stage.makeDue() == 2)
  }

  @Test func `a run that waits is cancelled at once, and is never due`() throws {
    _ = try stage.request("sample", key: "a")

    #expect(try Ledger.cancel(1, by: "ana", at: stage.now, on: stage.connection))

    #expect(try stage.state() == "cancelled (cancelled by ana) ")
    #expect(try stage.makeDue() == 0)
    #expect(try stage.request("sample", key: "a") == "1 false", "the key has its run all the same")
  }

  @Test func `a job of which a run waits is not forgotten`() throws {
    _ = try stage.request("sample")

    #expect(
      try !Ledger.retire("sample", at: stage.now + .seconds(86_400), on: stage.connection))
    #expect(try stage.count("SELECT count(*) FROM jobkit.run") == 1)
  }

  @Test func `two daemons make a run due once`() throws {
    for _ in 1...50 { _ = try stage.request("sample") }
    let url = stage.database.url
    let now = try stage.now

    let daemons = (1...4).map { _ in
      TestThread {
        let connection = try Connection(to: Server(url))
        return try Ledger.makeRequestsDue(of: ["sample"], at: now, on: connection)
      }
    }

    #expect(try daemons.map { try $0.value() }.reduce(0, +) == 100)
    #expect(try stage.count("SELECT count(*) FROM jobkit.part") == 100)
  }

  @Test func `what a daemon publishes of a job whose row is held is left for later`() throws {
    let other = try stage.database.connect()
    try other.run(script: "BEGIN; SELECT FROM jobkit.job FOR UPDATE")
    let form = try RequestForm(of: .sample(parts: 9), arguments: [])

    let held = try Ledger.write([form], on: stage.connection)
    try other.run(script: "COMMIT")

    #expect(!held)
    #expect(try Ledger.write([form], on: stage.connection))
    #expect(try stage.text("SELECT requests ->> 'parts' FROM jobkit.job") == "9")
  }

  @Test func `what a daemon publishes it writes once`() throws {
    let before = try stage.text("SELECT xmin::text FROM jobkit.job")
    try stage.offer(.sample(parts: 2))
    let same = try stage.text("SELECT xmin::text FROM jobkit.job")
    try stage.offer(.sample(parts: 3))

    #expect(same == before)
    #expect(try stage.text("SELECT requests ->> 'parts' FROM jobkit.job") == "3")
  }
}

extension Stage {
  /// Publishes what an app may ask of a job, as a daemon does.
  func offer(_ job: ScheduledJob, percent: Int = 100) throws {
    try Ledger.enter([job.name], at: now, on: connection)
    let job = ScheduledJob(
      name: job.name, schedule: job.schedule, policies: job.policies, parts: job.parts,
      percent: percent)
    try Ledger.write(
      [
        RequestForm(
          of: job,
          arguments: [
            JobArgument("full", "looks at all", choices: ["true", "false"]),
            JobArgument("day", "is for that day", kind: .day),
            JobArgument("n", "does so many", kind: .number), JobArgument("note", "says so"),
          ])
      ], on: connection)
  }

  /// Asks for a run, as an app does: `17 true` is run 17, and new.
  func request(
    _ job: String, _ arguments: String = "{}", key: String? = nil, at time: String? = nil
  ) throws -> String {
    try text(
      """
      SELECT run || ' ' || is_new FROM jobkit.request(\(job), \(JSONText(arguments)), key => \(key),
        at => \(time)::text::timestamptz)
      """)
  }

  /// Makes due what may be; returns how many parts that are.
  func makeDue(of jobs: [JobName] = ["sample"]) throws -> Int {
    try Ledger.makeRequestsDue(of: jobs, at: now, on: connection)
  }

  /// Whether the maintenance loop sees anything to make due.
  func hasRequests() throws -> Bool {
    try Ledger.maintenanceQuery(
      of: .sample(1), at: ["sample"], scheduling: ["sample"], lease: .seconds(15), delays: [:],
      by: clock, on: connection
    ).hasRequests
  }
}
