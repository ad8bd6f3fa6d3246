public import JobKit
public import LocalTime
internal import Postgres

/// A job that a tick comes after, and how that stands.
public struct Predecessor: Sendable, Equatable {
  public let job: JobName

  /// Its tick that counts; nothing when it has none by then.
  public let tick: Instant?

  /// The run of that, and what has become of it; nothing where there is no row.
  public let run: Int?
  public let state: RunState?

  /// Whether nobody has decided that tick yet.
  public let isUndecided: Bool

  /// What follows for the tick that comes after it.
  public let answer: After.Answer
}

extension [Predecessor] {
  /// Those that a run waits for, of the columns that ``Ledger/newest(_:)`` gives.
  init(_ row: Row) throws(PostgresError) {
    let jobs = try row["awaited_jobs", as: [JobName].self]
    let ticks = try row["awaited_ticks", as: [Instant?].self]
    let runs = try row["awaited_runs", as: [Int?].self]
    let states = try row["awaited_states", as: [RunState?].self]
    let undecided = try row["awaited_undecided", as: [Bool].self]
    let answers = try row["awaited_answers", as: [String].self]
    self = jobs.indices.map { index in
      Predecessor(
        job: jobs[index], tick: ticks[index], run: runs[index], state: states[index],
        isUndecided: undecided[index], answer: After.Answer(rawValue: answers[index]) ?? .wait)
    }
  }
}
