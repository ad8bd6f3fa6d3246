import Dispatch
import JobKit
import Ledger
import LocalTime
import Postgres
import Runner
import Synchronization

/// Prints how many parts that do nothing go through claim, run and end in a second.
func measureParts(target: String, runs: Int) throws {
  for workers in [1, 2, 4] {
    try measureParts(Idle(name: "one"), runs: runs, parts: 500, workers: workers, at: target)
  }
  for workers in [1, 2] {
    try measureParts(
      Idle(name: "many", batch: 1000), runs: runs, parts: 5000, workers: workers, at: target)
  }
}

private func measureParts(
  _ job: Idle, runs: Int, parts: Int, workers: Int, at target: String
) throws {
  try Ground.prepare(target)
  try enter(runs, of: job, parts: parts, at: target)
  let pool = try Ground.pool([WorkerPool.Member(job: job, policies: job.policies)])
  let failures = Mutex<[String]>([])
  let start = ContinuousClock.now
  DispatchQueue.concurrentPerform(iterations: workers) { _ in
    do {
      var worker = Worker(
        of: pool, clock: .database, on: try Connection(to: Server(target)))
      while try !worker.work().isEmpty {}
    } catch { failures.withLock { $0.append("\(error)") } }
  }
  let seconds = (ContinuousClock.now - start) / .seconds(1)
  let connection = try Connection(to: Server(target))
  let done: Int = try connection.run(
    "SELECT count(*) FROM jobkit.part WHERE state = 'succeeded'"
  ).only[0]
  for failure in failures.withLock(\.self) { print("failed: \(failure)") }
  print(
    "parts batch=\(job.batch) workers=\(workers) done=\(done) per_second=\(Int(Double(done) / seconds))"
  )
}

private func enter(_ runs: Int, of job: Idle, parts: Int, at target: String) throws {
  let connection = try Connection(to: Server(target))
  for _ in 0..<runs {
    let now = try LedgerClock.database.now(on: connection)
    let request = Ledger.RunRequest(
      job.name, for: now, parts: parts, policies: job.policies, by: "measure")
    _ = try Ledger.enter(request, at: now, on: connection)
  }
  try connection.run(script: "VACUUM ANALYZE jobkit.part")
  try connection.run(script: "VACUUM ANALYZE jobkit.run")
}
