/// A request that a pool has in hand, and who hears how it ended.
struct Pending: Sendable {
  let request: Request
  let since: Instant
  let completion: @Sendable (End) -> Void

  /// Until when it may be given to a connection, and the rest of its body leave.
  func end(by policy: PoolPolicy) -> Instant {
    let end = since + policy.queueing
    return min(end, request.end ?? end)
  }

  /// How many connections have refused it, and which was the last.
  var refusals = 0
  var refusedBy: Int?
}
