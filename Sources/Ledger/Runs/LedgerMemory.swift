package import JobKit
import Migrations
package import Postgres

/// What the ledger remembers of a job and, but in a dry run, of one of its runs.
package struct LedgerMemory: JobMemory {
  let job: JobName
  let run: Int?

  package init(of job: JobName, run: Int?) {
    (self.job, self.run) = (job, run)
  }

  package func basis(on connection: borrowing Connection) throws -> RunBasis? {
    guard let run else { return nil }
    let rows = try connection.run(keepingPlanOf: Self.basis(of: run))
    return try rows.first.map { row throws(PostgresError) in
      RunBasis(text: try row["text"], seenIn: try row["seen_in"])
    }
  }

  /// Of two parts that begin at once the second waits here for the first chunk of the first.
  package func keep(
    _ basis: RunBasis, on connection: borrowing Connection
  ) throws -> RunBasis {
    guard let run else { return basis }
    let hash = String(StableHash.of("\(job)\0\(basis.text)"), radix: 16)
    let results = try connection.pipeline([
      """
      INSERT INTO jobkit.job_text (hash, job, text) VALUES (\(hash), \(job), \(basis.text))
      ON CONFLICT (hash) DO NOTHING
      """,
      """
      INSERT INTO jobkit.run_basis (run, text_hash, seen_in)
      VALUES (\(run), \(hash), \(basis.seenIn)::pg_snapshot)
      ON CONFLICT (run) DO NOTHING
      """, Self.basis(of: run),
    ])
    let row = try results[2].only
    return RunBasis(text: try row["text"], seenIn: try row["seen_in"])
  }

  private static func basis(of run: Int) -> Statement {
    """
    SELECT text, seen_in::text AS seen_in
    FROM jobkit.run_basis JOIN jobkit.job_text ON hash = text_hash WHERE run = \(run)
    """
  }

  package func watermark(
    of part: PartNumber?, on connection: borrowing Connection
  ) throws -> Watermark? {
    let own: Statement =
      part.map { part in
        """
        SELECT seen_until, seen_in FROM jobkit.watermark
        WHERE job = \(job) AND parts = \(part.count) AND part = \(part.number) UNION ALL
        """
      } ?? ""
    let rows = try connection.run(
      """
      SELECT seen_until, seen_in::text AS seen_in FROM (\(own) \(slowest)) AS mark
      ORDER BY seen_until DESC, pg_snapshot_xmax(mark.seen_in) DESC LIMIT 1
      """)
    return try rows.first.map { row throws(PostgresError) in
      Watermark(seenUntil: try row["seen_until"], seenIn: try row["seen_in"])
    }
  }

  /// Of each number of parts whose parts have all been read, what all of them have seen.
  ///
  /// A part that has no mark of its own, as after the number of parts has changed, begins there; a set of parts that
  /// is not whole says nothing of the rows of those that are missing.
  private var slowest: Statement {
    """
    SELECT seen_until, seen_in FROM (
      SELECT DISTINCT ON (parts) min(seen_until) OVER part_count AS seen_until, seen_in, parts,
        count(*) OVER part_count AS known
      FROM jobkit.watermark WHERE job = \(job)
      WINDOW part_count AS (PARTITION BY parts)
      ORDER BY parts, pg_snapshot_xmin(watermark.seen_in), pg_snapshot_xmax(watermark.seen_in), watermark.seen_until
    ) AS slowest WHERE known = parts
    """
  }

  /// A mark that is ahead already stays: also one of the same instant that has seen a transaction more, as where a run
  /// that failed is brought back after a later one succeeded.
  package func save(
    _ watermark: Watermark, of part: PartNumber, on connection: borrowing Connection
  ) throws {
    try connection.run(
      """
      INSERT INTO jobkit.watermark AS mark (job, parts, part, seen_until, seen_in)
      VALUES (\(job), \(part.count), \(part.number), \(watermark.seenUntil),
        \(watermark.seenIn)::pg_snapshot)
      ON CONFLICT (job, parts, part)
      DO UPDATE SET seen_until = excluded.seen_until, seen_in = excluded.seen_in
      WHERE mark.seen_until < excluded.seen_until OR mark.seen_until = excluded.seen_until
        AND pg_snapshot_xmax(mark.seen_in) <= pg_snapshot_xmax(excluded.seen_in)
        AND NOT EXISTS (SELECT FROM pg_snapshot_xip(excluded.seen_in) AS open
          WHERE pg_visible_in_snapshot(open, mark.seen_in))
      """)
  }
}

extension Ledger {
  /// Deletes the texts of jobs by which the ledger has no run any more.
  ///
  /// One that a run is about to go by may be among them, until the run refers to it: its chunk then finds no such text,
  /// is tried again as after any row that is gone meanwhile, and writes it anew.
  package static func forgetTexts(on connection: borrowing Connection) throws(PostgresError) {
    try connection.run(
      """
      DELETE FROM jobkit.job_text WHERE hash = ANY(ARRAY(
        SELECT hash FROM jobkit.job_text
        WHERE NOT EXISTS (SELECT FROM jobkit.run_basis WHERE text_hash = hash)
        FOR UPDATE SKIP LOCKED))
      """)
  }
}
