import Glibc
import JobKit
import Postgres
import TestSupport
import Testing

/// A chain of three jobs, one in Swift and two in SQL, whose daemon is killed between any two of its statements.
@Suite("Kill a chain of jobs")
struct AfterKillTests {
  private static let places: [Failpoint] = [
    .decideCommitted, .waitingDecided, .claimClaimed, .chunkSaved, .chunkCommitted, .finishBegun,
    .finishWritten,
  ]

  /// The second time of each is in the run of another job, or in another run.
  @Test(arguments: places, [1, 4])
  func `whoever goes on keeps the order, and does nothing twice`(
    place: Failpoint, time: Int
  ) async throws {
    let end = try await onOwnThread { try Self.end(of: place, time) }

    #expect(end.status & 0x7f == SIGKILL)
    #expect(end.heirStatus == 0)
    #expect(end.faults == [])
  }

  private struct End {
    let status: Int32
    let heirStatus: Int32
    let faults: [String]
  }

  private static func end(of place: Failpoint, _ time: Int) throws -> End {
    let rehearsal = try Rehearsal()
    try rehearsal.set(chain)
    try rehearsal.run("CREATE TABLE one AS SELECT 1::bigint AS id")
    try rehearsal.run("ALTER TABLE one ADD PRIMARY KEY (id)")
    try rehearsal.run("CREATE TABLE trace (moment timestamptz, step text, seen bigint)")
    let status = try rehearsal.daemon(dyingAt: "\(place.rawValue):\(time)").status()
    try rehearsal.awaitEndOfSessions()
    try rehearsal.passTime()
    let heir = try rehearsal.daemon()
    try rehearsal.wait(for: 2, of: "SELECT count(*) FROM trace WHERE step = 'third'")
    return End(
      status: status, heirStatus: try rehearsal.rest(heir), faults: try rehearsal.faults())
  }

  /// Each step writes down how much of the one before it it has found.
  private static let chain = """
    [jobs.second]
    kind = "statement"
    table = "public.one"
    key = "id"
    where = "true"
    statement = '''
      INSERT INTO public.trace (moment, step, seen)
      SELECT :moment, 'second', (SELECT count(*) FROM public.rehearsal AS done WHERE done.moment = :moment)
      FROM public.one AS key WHERE key.id IN (:keys)
    '''
    every = "1s"
    most = 10
    after = ["rehearse"]

    [jobs.third]
    kind = "statement"
    table = "public.one"
    key = "id"
    where = "true"
    statement = '''
      INSERT INTO public.trace (moment, step, seen)
      SELECT :moment, 'third', (
        SELECT count(*) FROM public.trace AS done WHERE done.moment = :moment AND done.step = 'second')
      FROM public.one AS key WHERE key.id IN (:keys)
    '''
    every = "1s"
    most = 10
    after = ["second"]
    """
}

extension Rehearsal {
  /// What came too early, twice or not at all, in words.
  fileprivate func faults() throws -> [String] {
    try Self.faultsOfChains.compactMap { name, statement in
      let count = try number(statement)
      return count == 0 ? nil : "\(count) \(name); the log says: \(log.suffix(2000))"
    }
  }

  private static let faultsOfChains: [(String, Statement)] = [
    (
      "steps that found the one before them unfinished",
      "SELECT count(*) FROM trace WHERE seen <> CASE step WHEN 'second' THEN 10 ELSE 1 END"
    ),
    (
      "steps that happened twice",
      "SELECT count(*) - count(DISTINCT (moment, step)) FROM trace"
    ),
    (
      "steps without a run that succeeded, or runs without their step",
      """
      SELECT count(*) FROM trace FULL JOIN (
        SELECT scheduled_for, job FROM jobkit.run WHERE state = 'succeeded' AND job IN ('second', 'third')
      ) AS done ON (moment, step) = (scheduled_for, job)
      WHERE moment IS NULL OR scheduled_for IS NULL
      """
    ),
    (
      "runs that began before the one before them had ended",
      """
      SELECT count(*) FROM jobkit.run AS late JOIN jobkit.run AS early USING (scheduled_for)
      WHERE (early.job, late.job) IN (('rehearse', 'second'), ('second', 'third'))
        AND late.started_at IS NOT NULL
        AND (early.state <> 'succeeded' OR late.started_at < early.finished_at)
      """
    ),
    (
      "runs that failed, or ticks that waited in vain",
      "SELECT count(*) FROM jobkit.run WHERE state = 'failed' OR state = 'missed' AND after_jobs IS NOT NULL"
    ),
  ]
}
