package import JobKit
package import Postgres

extension Ledger {
  /// What a heartbeat brings back about the parts that a worker holds.
  package struct Pulse: Sendable, Equatable {
    /// The parts that are still ours; the others were taken.
    package var held: Set<Fence> = []

    /// Those of them whose run somebody wants to end.
    package var cancelled: Set<Fence> = []

    /// Those that are held by leases which end when they did before: others had their rows locked.
    package var unextended: Set<Fence> = []
  }

  /// Locks those of the parts that are still held under these fences, in one order for everybody: a
  /// heartbeat and the end of a batch would otherwise wait for each other.
  static func locking(_ fences: [Fence], skippingLocked isSkipping: Bool = false) -> Statement {
    let skipping: Statement = isSkipping ? "SKIP LOCKED" : ""
    return """
      SELECT part.run, part.number FROM \(parts(under: fences))
      WHERE part.state = 'running'
      ORDER BY part.run, part.number FOR UPDATE OF part \(skipping)
      """
  }

  private static func parts(under fences: [Fence]) -> Statement {
    """
    jobkit.part
    JOIN unnest(\(fences.map(\.run)), \(fences.map(\.part)), \(fences.map(\.epoch)))
      AS fence (run, number, epoch)
      ON (part.run, part.number, part.epoch) = (fence.run, fence.number, fence.epoch)
    """
  }

  /// Extends the leases of the parts that a worker holds, first of those that nobody has locked.
  ///
  /// One row that somebody has locked must not cost the leases of all others.
  package static func extendLeases(
    of fences: [Fence], by lease: Duration, at now: Statement, on connection: borrowing Connection
  ) throws(PostgresError) -> Pulse {
    let free = locking(fences, skippingLocked: true)
    var pulse = try Pulse(
      connection.run(keepingPlanOf: extending(free, by: lease, at: now)))
    let rest = fences.filter { !pulse.held.contains($0) }
    guard !rest.isEmpty else { return pulse }
    pulse.add(try extendLocked(rest, by: lease, at: now, on: connection))
    return pulse
  }

  /// Waits for parts that were locked, as their chunks are just being committed, and extends their leases.
  ///
  /// Who has them locked for longer keeps others from taking them too: they count as held, and the next pass
  /// tries again.
  private static func extendLocked(
    _ fences: [Fence], by lease: Duration, at now: Statement, on connection: borrowing Connection
  ) throws(PostgresError) -> Pulse {
    do throws(PostgresError) {
      return try connection.transaction(lockLimit: lease / 6) { connection throws(PostgresError) in
        try Pulse(connection.run(extending(locking(fences), by: lease, at: now)))
      }
    } catch  where error.isLockTimeout {
      var pulse = try Pulse(
        connection.run(
          """
          SELECT part.run, part.number, part.epoch, cancel_asked_at IS NOT NULL AS is_cancelled
          FROM \(parts(under: fences)) JOIN jobkit.run ON run.id = part.run
          WHERE part.state = 'running'
          """))
      pulse.unextended = pulse.held
      return pulse
    }
  }

  /// Extends the leases of the parts that `locking` has locked, all in one statement.
  ///
  /// `now` is read when all are locked: a lease that counted from before the wait might be over when it is
  /// written.
  private static func extending(
    _ locking: Statement, by lease: Duration, at now: Statement
  ) -> Statement {
    """
    WITH held AS (\(locking)), locked AS (
      -- The count is what waits for them all.
      SELECT \(now) + make_interval(secs => \(lease / .seconds(1))) AS lease_until, count(*) FROM held
    )
    UPDATE jobkit.part SET lease_until = locked.lease_until
    FROM locked, held JOIN jobkit.run ON run.id = held.run
    WHERE (part.run, part.number) = (held.run, held.number)
    RETURNING part.run, part.number, part.epoch, cancel_asked_at IS NOT NULL AS is_cancelled
    """
  }
}

extension Ledger.Pulse {
  fileprivate init(_ rows: Rows) throws(PostgresError) {
    for row in rows {
      let fence = Fence(run: try row["run"], part: try row["number"], epoch: try row["epoch"])
      held.insert(fence)
      if try row["is_cancelled"] { cancelled.insert(fence) }
    }
  }

  fileprivate mutating func add(_ other: Self) {
    held.formUnion(other.held)
    cancelled.formUnion(other.cancelled)
    unextended.formUnion(other.unextended)
  }
}
