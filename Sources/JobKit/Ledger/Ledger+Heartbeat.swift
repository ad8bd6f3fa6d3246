import Postgres

extension Ledger {
  /// What a heartbeat brings back about the parts that a worker holds.
  struct Pulse: Sendable, Equatable {
    /// The parts that are still ours; the others were taken.
    var held: Set<Fence> = []

    /// Those of them whose run somebody wants to end.
    var cancelled: Set<Fence> = []
  }

  /// Locks those of the parts that are still held under these fences, in one order for everybody: a
  /// heartbeat and the end of a batch would otherwise wait for each other.
  static func locking(_ fences: [Fence]) -> Statement {
    """
    SELECT part.run, part.number FROM jobkit.part
    JOIN unnest(\(fences.map(\.run)), \(fences.map(\.part)), \(fences.map(\.epoch)))
      AS fence (run, number, epoch)
      ON (part.run, part.number, part.epoch) = (fence.run, fence.number, fence.epoch)
    WHERE part.state = 'running'
    ORDER BY part.run, part.number FOR UPDATE OF part
    """
  }

  /// Extends the leases of the parts that a worker holds, all in one statement.
  ///
  /// It may wait for one of them, whose chunk is just being committed: `now` is read when all are locked,
  /// as a lease that counted from before the wait might be over when it is written.
  static func extendLeases(
    of fences: [Fence], by lease: Duration, at now: Statement, on connection: borrowing Connection
  ) throws(PostgresError) -> Pulse {
    let rows = try connection.run(
      keepingPlanOf: """
        WITH held AS (\(locking(fences))), locked AS (
          -- The count is what waits for them all.
          SELECT \(now) + make_interval(secs => \(lease / .seconds(1))) AS lease_until, count(*) FROM held
        )
        UPDATE jobkit.part SET lease_until = locked.lease_until
        FROM locked, held JOIN jobkit.run ON run.id = held.run
        WHERE (part.run, part.number) = (held.run, held.number)
        RETURNING part.run, part.number, part.epoch, cancel_asked_at IS NOT NULL AS is_cancelled
        """)
    var pulse = Pulse()
    for row in rows {
      let fence = Fence(run: try row["run"], part: try row["number"], epoch: try row["epoch"])
      pulse.held.insert(fence)
      if try row["is_cancelled"] { pulse.cancelled.insert(fence) }
    }
    return pulse
  }
}
