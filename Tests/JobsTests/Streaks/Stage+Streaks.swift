@testable import JobKit
@testable import Ledger
@testable import Runner
@testable import Jobs

import Dispatch
import LocalTime
import Postgres
import Synchronization
import TestKit
import TestSupport

extension Stage {
  /// Writes a made-up history as sessions that ended when they were received or, for late ones, on their day.
  func insert(_ studies: [StreakFacts.Session], of learner: Int) throws {
    let ends = studies.map { study in
      min(study.receivedAt, Zone.utc.startOfDay(study.day) + .seconds(86_399))
    }
    try connection.run(
      """
      INSERT INTO learning.sessions (user_id, session_id, idempotency_key, category, started_at, ended_at,
        completed, local_day, accuracy, first_try_rate, hint_rate, score, source, server_received_at)
      SELECT \(learner), number, gen_random_uuid(), 'people', ended - interval '9 minutes', ended,
        true, day, 1, 1, 0, 10, 'offline', received
      FROM unnest(\(studies.map(\.day)), \(ends), \(studies.map(\.receivedAt)))
        WITH ORDINALITY AS study (day, ended, received, number)
      """)
  }

  /// The streak as the naive count words it.
  func line(of learner: Int) throws -> String {
    try text(
      """
      SELECT CASE WHEN length = 0 THEN 'none'
        ELSE format('%s from %s through %s', length, started_on, last_day)
          || CASE WHEN missed_day IS NULL THEN '' ELSE format(', %s can be repaired', missed_day) END
        END
      FROM learning.streaks WHERE user_id = \(learner)
      """)
  }

  /// Lets a reward wait for a few of the learners, each time for others.
  func giveBonuses(to learners: ClosedRange<Int>, at instant: Instant) throws {
    let hour = instant.secondsSince1970 / 3600
    for learner in learners where (learner + hour).isMultiple(of: 5) {
      try reward(learner, hour, key: "\(hour)", kind: "bonus", receivedAt: "\(instant)")
    }
  }

  func ledger(of learner: Int) throws -> [String] {
    try connection.run(
      "SELECT entry FROM learning.token_entries WHERE user_id = \(learner) ORDER BY entry COLLATE \"C\""
    ).map { try $0[0] }
  }

  /// What the learner was given for days of chains, as the naive count words it.
  func gifts(to learner: Int) throws -> [String] {
    try connection.run(
      """
      SELECT concat_ws(' ', started_on, days, kind, reason) FROM learning.awards
      WHERE user_id = \(learner) AND reason <> 'returned'
      """
    ).map { try $0[0] }
  }

  /// Lets workers, each with a connection and jobs of its own, work at once until nothing is due; returns
  /// what went wrong.
  func workAtOnce(_ crews: [[any Job]]) throws -> [String] {
    let failures = Mutex<[String]>([])
    let (database, clock, zones) = (database, clock, zones)
    DispatchQueue.concurrentPerform(iterations: crews.count) { @Sendable index in
      do {
        let name = DaemonID(
          host: "host", process: index, version: "1", settingsHash: "1", word: UInt32(index))
        let members = crews[index].map {
          WorkerPool.Member(job: $0, policies: $0.definition.policies)
        }
        var worker = Worker(
          of: WorkerPool(name: name, jobs: members, zones: zones), clock: clock,
          on: try database.connect())
        while try !worker.work().isEmpty {}
      } catch { failures.withLock { $0.append("\(error)") } }
    }
    return failures.withLock(\.self)
  }
}
