internal import JobKit
package import LocalTime

/// The ticks of a job that are not decided yet.
package enum Backlog: Equatable {
  /// All of them, oldest first.
  case ticks([Instant])

  /// So many that the oldest are counted, not listed: all of these have one fate.
  case row(first: Instant, last: Instant, count: Int)

  /// How many ticks are listed at most, and decided one by one: the newest.
  package static let most = 10_000

  /// The ticks in `(cursor, now]`.
  ///
  /// A row of them ends before any of `edges`, so that all of it has one fate.
  init(of schedule: Schedule, after cursor: Instant, through now: Instant, edges: [Instant]) {
    let ticks = schedule.ticks(after: cursor, through: now, limit: Self.most + 1)
    guard ticks.count > Self.most, let first = ticks.first,
      let last = Self.lastOfRow(of: schedule, from: first, through: now, edges: edges)
    else {
      self = .ticks(Array(ticks.prefix(Self.most)))
      return
    }
    self = .row(
      first: first, last: last, count: schedule.count(from: first, through: last))
  }

  private static func lastOfRow(
    of schedule: Schedule, from first: Instant, through now: Instant, edges: [Instant]
  ) -> Instant? {
    var end = now + .microseconds(1)
    for _ in 0..<most {
      guard let before = schedule.previous(before: end) else { return nil }
      end = before
    }
    for edge in edges where first < edge && edge < end { end = edge }
    return schedule.previous(before: end)
  }
}
