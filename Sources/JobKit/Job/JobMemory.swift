package import LocalTime
package import Postgres

/// What the ledger remembers of a job between two runs, and of a run between two of its chunks.
package protocol JobMemory: Sendable {
  /// What the run goes by; nothing as long as none of its chunks is committed, and in a dry run.
  func basis(on connection: borrowing Connection) throws -> RunBasis?

  /// Makes it what the run goes by, in the transaction of its first chunk; gives what the run goes by then, which
  /// is another's where another part was faster.
  func keep(_ basis: RunBasis, on connection: borrowing Connection) throws -> RunBasis

  /// How far the runs before have seen the rows of a part; without one, of the part that is furthest behind.
  func watermark(
    of part: PartNumber?, on connection: borrowing Connection
  ) throws -> Watermark?

  /// Writes how far a part has seen its rows, in the transaction of its last chunk.
  func save(
    _ watermark: Watermark, of part: PartNumber, on connection: borrowing Connection
  ) throws
}

/// What a run goes by from its first chunk to its last, whatever the settings say by then.
package struct RunBasis: Sendable, Equatable {
  /// How the settings describe the work of the job.
  package let text: String

  /// The transactions that were over when the run began, as `pg_current_snapshot()` writes them; nothing where the
  /// job does not ask what is new.
  package let seenIn: String?

  package init(text: String, seenIn: String?) {
    (self.text, self.seenIn) = (text, seenIn)
  }
}

/// How far a part of a job has seen the rows of an app.
///
/// A row that commits late carries an instant that has been passed, but its transaction was not over then: so a row
/// has been seen when it was received up to the one and its transaction is among the others.
package struct Watermark: Sendable, Equatable {
  package let seenUntil: Instant

  /// The transactions that were over, as `pg_current_snapshot()` writes them.
  package let seenIn: String

  package init(seenUntil: Instant, seenIn: String) {
    (self.seenUntil, self.seenIn) = (seenUntil, seenIn)
  }
}

/// A job of which what it would do with a row depends on what the ledger remembers of it.
package protocol RememberingKeyExplainer: KeyExplainer {
  func explain(
    key: String, at now: Instant, in zones: ZoneDatabase, from memory: any JobMemory,
    _ connection: borrowing Connection
  ) throws -> KeyExplanation
}

/// A job whose runs go by a basis from the moment on at which their work was counted for somebody to approve of.
package protocol BasedJob: Job {
  /// Has a run that is about to be held go by what it goes by now.
  func begin(_ context: borrowing JobContext) throws
}
