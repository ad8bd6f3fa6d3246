import Dispatch
import JobKit
import Ledger
import LocalTime
import Postgres
import Runner

/// Prints, for each tick of a job of every second and one of every minute, how many microseconds after
/// its moment the job's own first statement ran, by the clock of the database.
func measureLateness(target: String, seconds: Int) throws {
  try Ground.prepare(target)
  try Connection(to: Server(target)).run(
    script: """
      DROP TABLE IF EXISTS lateness;
      CREATE TABLE lateness (job text, moment timestamptz, began timestamptz);
      """)
  let jobs = [Stopwatch(name: "second"), Stopwatch(name: "minute")]
  let pool = try Ground.pool(
    jobs.map { WorkerPool.Member(job: $0, policies: $0.definition.policies) })
  let daemon = Daemon(
    pool: pool, jobs: try jobs.map { try $0.scheduled }, workers: 2, server: try Server(target))
  daemon.start()
  _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .seconds(seconds))
  daemon.drain(within: .seconds(5))
  let rows = try Connection(to: Server(target)).run(
    """
    SELECT job, (extract(epoch FROM began - moment) * 1000000)::bigint AS late
    FROM lateness ORDER BY moment
    """)
  for row in rows {
    print("late \(try row["job", as: String.self]) \(try row["late", as: Int.self])")
  }
}

/// A job that writes down when it began.
private struct Stopwatch: Job {
  let name: JobName

  var definition: JobDefinition {
    JobDefinition(name: name, purpose: "writes down when it began", schedule: .every(interval))
  }

  private var interval: Duration { .seconds(name == "minute" ? 60 : 1) }

  var scheduled: ScheduledJob {
    get throws {
      guard let interval = Interval(interval) else { throw JobNameError.unreadable("interval") }
      return ScheduledJob(name: name, schedule: Schedule(every: interval, shownIn: .utc))
    }
  }

  func run(_ context: inout JobContext) throws -> Outcome {
    let moment = context.scheduledFor
    let name = self.name
    try context.inChunks { connection, _ in
      try connection.run("INSERT INTO lateness VALUES (\(name), \(moment), clock_timestamp())")
      return .finished
    }
    return Outcome("done")
  }
}
