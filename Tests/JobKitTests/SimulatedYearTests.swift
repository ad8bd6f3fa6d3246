import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import TestKit
import TestSupport
import Testing

@Suite("A simulated year")
struct SimulatedYearTests {
  @Test func `every tick of a year has the one row that an independent oracle expects`() throws {
    let year = try SimulatedYear()
    let stage = try Stage(at: "2026-01-01T00:00:00Z")
    try stage.rememberWhatIsForgotten()
    let began = ContinuousClock.now

    var simulation = try Simulation.start(
      year.jobs, pool: stage.crewWithoutCode(for: year.jobs), at: year.start,
      retention: Retention(), on: Server(stage.database.url))
    try simulation.live(through: year)

    let took = ContinuousClock.now - began
    let found = Tally(try stage.allRows())
    let expected = Tally(year.rows)
    #expect(found.surplus(over: expected) == [], "doubled, or decided otherwise")
    #expect(expected.surplus(over: found) == [], "lost, or decided otherwise")
    #expect(year.jobs.count >= 20)
    print("a simulated year of \(year.jobs.count) jobs: \(year.rows.count) rows in \(took)")
  }
}

extension Simulation {
  /// Lets everything happen that the year has, and looks at nothing while it is down.
  fileprivate mutating func live(through year: SimulatedYear) throws {
    var isUp = true
    for edge in year.edges {
      if isUp { try run(through: edge.moment) } else { setClock(to: edge.moment) }
      switch edge.change {
      case .outage: isUp = false
      case .start:
        try restart(at: edge.moment)
        isUp = true
      case .clock(let moment): setClock(to: moment)
      case .pause(let job): try pause(job, by: "ana", because: "a week of repairs")
      case .resume(let job): try resume(job)
      }
    }
    try run(through: year.end)
  }
}

/// How often each row was met.
private struct Tally {
  private var counts: [String: Int] = [:]

  init(_ rows: [String]) {
    for row in rows { counts[row, default: 0] += 1 }
  }

  /// The rows that were met more often here than there, some of them, in order.
  func surplus(over other: Tally) -> [String] {
    Array(counts.filter { $0.value > other.counts[$0.key, default: 0] }.keys.sorted().prefix(20))
  }
}

extension Stage {
  /// Keeps what a purge deletes where a test can find it.
  fileprivate func rememberWhatIsForgotten() throws {
    try connection.run(
      script: """
        CREATE TABLE forgotten (job text, scheduled_for timestamptz, state text);
        CREATE FUNCTION remember() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            INSERT INTO forgotten SELECT job, scheduled_for, state FROM gone;
            RETURN NULL;
          END $$;
        CREATE TRIGGER remember AFTER DELETE ON jobkit.run
          REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION remember();
        """)
  }

  /// A crew that has nothing to do for these jobs.
  fileprivate func crewWithoutCode(for jobs: [ScheduledJob]) throws -> WorkerPool {
    let members = jobs.map { job in
      let definition = JobDefinition(
        name: job.name, purpose: "is simulated", schedule: .every(.seconds(60)))
      return WorkerPool.Member(job: NoWork(of: definition), policies: job.policies)
    }
    return WorkerPool(name: .sample(1), jobs: members, zones: try SampleSettings.zones.get())
  }

  /// Every row that the ledger has or had, as `job microseconds state`.
  fileprivate func allRows() throws -> [String] {
    let rows = try connection.run(
      """
      SELECT job || ' ' || (extract(epoch FROM scheduled_for) * 1000000)::bigint || ' ' || state
      FROM (
        SELECT job, scheduled_for, state FROM jobkit.run
        UNION ALL SELECT job, scheduled_for, state FROM forgotten
      ) AS tick
      """)
    return try rows.map { try $0[0, as: String.self] }
  }
}
