internal import JobKit
internal import Ledger
internal import Postgres

/// Lets the app ask for runs of a daemon's jobs, as its settings say: at its start, under other settings, and when a job
/// was entered anew.
///
/// At no other time: of two daemons with other settings each would undo what the other has written.
struct FormWatch {
  private var generation: Int?

  /// Writes what is news.
  ///
  /// A row that somebody holds is written at a later pass: nobody is waited for, and whatever fails stops no pass.
  mutating func check(
    after pass: Scheduler.Pass, following generation: Int, for daemon: Daemon,
    on connection: borrowing Connection
  ) throws(PostgresError) {
    guard self.generation != generation || !pass.entered.isEmpty else { return }
    self.generation = nil
    let code = daemon.pool.jobs
    let forms = daemon.schedule.jobs.compactMap { job in
      code[job.name].map { RequestForm(of: job, arguments: $0.job.definition.arguments) }
    }
    do throws(PostgresError) {
      if try Ledger.write(forms, on: connection) { self.generation = generation }
    } catch {
      guard !error.needsNewConnection else { throw error }
      daemon.log.error("cannot tell which runs may be asked for: \(error); tried again")
    }
  }
}
