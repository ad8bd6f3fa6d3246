internal import JobKit
internal import Ledger
internal import LocalTime
internal import Postgres

/// The loop that works: it claims one part after the other until nothing is due, then waits to be woken.
struct WorkerLoop {
  private let daemon: Daemon
  private let wakeUp: WakeUp

  init(_ daemon: Daemon, _ wakeUp: WakeUp) {
    self.daemon = daemon
    self.wakeUp = wakeUp
  }

  func run() {
    // Deciding comes first: a server that opens a session for each worker at once keeps it waiting.
    wakeUp.set(after: Self.courtesy)
    wakeUp.wait()
    let keeper = Reconnecting(daemon: daemon, what: "worker", wakeUp: wakeUp)
    keeper.run(until: .draining) { connection in
      var worker = Worker(of: daemon.pool, clock: daemon.clock, on: connection)
      while daemon.phase == .running {
        while daemon.phase == .running, case let executions = try worker.work(hearing: started),
          !executions.isEmpty
        {
          for execution in executions {
            report(execution.end, of: execution.part, execution.progress)
            daemon.publish(.ended(execution))
            if execution.endsRun { daemon.hearEnd(of: execution.part.job) }
          }
          if let last = executions.last(where: \.endsRun), last.part.parts > 1 {
            try report(runOf: last.part, by: worker)
          }
        }
        guard daemon.phase == .running else { return }
        wakeUp.wait()
      }
    }
  }

  /// Says how a run of several parts ended; a question that fails costs the log its line, and nobody else.
  private func report(runOf part: ClaimedPart, by worker: borrowing Worker) throws(PostgresError) {
    do throws(PostgresError) {
      report(try worker.record(of: part.fence.run))
    } catch {
      guard !error.needsNewConnection else { throw error }
    }
  }

  /// For how long what is due already waits for the first decision; a daemon that cannot decide works.
  private static let courtesy = Duration.milliseconds(500)

  private func started(_ part: ClaimedPart) {
    daemon.log.debug("started", part.fields())
    daemon.publish(.began(part))
  }

  private func report(_ end: PartOutcome, of part: ClaimedPart, _ progress: Progress) {
    switch end {
    case .succeeded(let outcome):
      // A run has one line when it has done something: one of several parts gets it when it is over.
      let isTold = part.parts == 1 && progress.counters.values.contains { $0 != 0 }
      let say = isTold ? daemon.log.info : daemon.log.debug
      say("succeeded: \(outcome.summary)", part.fields(progress))
    case .cancelled: daemon.log.info("cancelled", part.fields(progress))
    case .held(let held):
      daemon.log.error(
        "held before its first effect: it \(held.objection); 'worker approve' lets it go on",
        part.fields(progress))
    case .released: daemon.log.info("released after its last chunk", part.fields(progress))
    case .retry(let error, let wait):
      daemon.log.warning("failed: \(error); tried again in \(wait.inWords)", part.fields(progress))
    case .failed(let error): daemon.log.error("failed: \(error)", part.fields(progress))
    case .lost(let why): daemon.log.error("\(why)", part.fields(progress))
    case .unwritten(let unwritten, let error):
      // Where the job lost the connection, only its end names the statement that did it.
      daemon.log.error(
        "\(unwritten), but its end could not be written: \(error); the lease runs out and another"
          + " worker goes on", part.fields(progress))
    }
  }
}

extension WorkerLoop {
  /// Says that a run of several parts has succeeded, with what they did, if that is anything.
  private func report(_ run: RunRecord?) {
    guard let run, run.state == .succeeded, run.counters.values.contains(where: { $0 != 0 }) else {
      return
    }
    daemon.log.info(
      "succeeded, all \(run.parts) parts",
      [
        "job": run.job.text, "run": "\(run.id)", "scheduled_for": run.scheduledFor.description,
        "counted": run.counters.inFields,
      ])
  }
}

extension ClaimedPart {
  /// What stands on every line about a part.
  func fields(_ progress: Progress? = nil) -> KeyValuePairs<String, String> {
    [
      "job": job.text, "run": "\(fence.run)", "part": "\(fence.part)", "epoch": "\(fence.epoch)",
      "scheduled_for": scheduledFor.description, "counted": progress?.counters.inFields ?? "",
    ]
  }
}

extension Counters {
  /// The numbers as one field of a line.
  fileprivate var inFields: String {
    zip(names, values).map { "\($0):\($1)" }.joined(separator: ",")
  }
}
