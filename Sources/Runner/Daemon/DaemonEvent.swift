public import JobKit
public import Ledger
public import LocalTime

/// What a daemon lives through, told to whoever listens while it happens.
public enum DaemonEvent: Sendable {
  /// A decision pass is complete, as of `at` by the ledger's clock: the database has answered, and every
  /// tick until then has its row.
  case passed(Scheduler.Pass, at: Instant)

  /// A heartbeat is complete, as of `at` by the ledger's clock.
  case maintained(at: Instant)

  /// These jobs are scheduled from here on: told at the start, and whenever they change.
  case scheduled([ScheduledJob])

  /// The ledger was asked about all jobs, as each quarter of a minute.
  case tookSnapshot(HealthSnapshot)

  /// A worker of this daemon has claimed a part and begins with it.
  case began(ClaimedPart)

  /// A worker of this daemon is through with a part.
  case ended(Worker.PartExecution)

  /// This daemon took back a part of `job` whose worker, here or elsewhere, had gone silent.
  case rescued(JobName)

  /// This daemon wrote off a run of `job` that no worker, here or elsewhere, was free to begin in time.
  case wroteOff(JobName)

  /// The connection of one of the loops was lost or could not be made; it is tried again.
  case lostConnection(loop: String)

  /// Somebody asked this daemon through the ledger to end; it goes on until `drain` is called.
  case toldToEnd(by: String)

  /// Nothing new is begun from here on.
  case draining
}

/// Whoever hears what a daemon lives through.
///
/// It is told on the loop that lived through it and must return at once: what takes time, or waits for
/// anybody, belongs on a queue of the listener's own.
public protocol DaemonListener: Sendable {
  func handle(_ event: DaemonEvent)
}
