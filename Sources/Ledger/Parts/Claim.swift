package import JobKit
import Postgres

/// What the row of a part has to say before its worker may write there: that the part is still this
/// worker's, and that the ledger remembers what the worker has saved.
///
/// The number of the claim alone does not tell. A server that crashes, or a standby that takes over, may
/// have forgotten its latest commits while a pooler kept the worker's connection: then the part is given
/// to another under the same number, or what the worker does next would lie behind work that is gone.
package struct Claim: Sendable {
  package let fence: Fence

  /// The process that the part was given to, as the ledger names it.
  let daemon: String

  /// What the worker saved last, or found when the part was given to it.
  let saved: Progress

  /// The same claim once the worker has saved `progress`.
  package func after(_ progress: Progress) -> Claim {
    Claim(fence: fence, daemon: daemon, saved: progress)
  }
}

extension Claim {
  /// Whether a row of `jobkit.part` is this worker's, as a condition.
  var isOurs: Statement {
    """
    run = \(fence.run) AND number = \(fence.part) AND epoch = \(fence.epoch) AND daemon = \(daemon)
      AND state = 'running'
    """
  }

  /// Whether it is, and has all that the worker has saved.
  var isRemembered: Statement {
    """
    \(isOurs) AND cursor IS NOT DISTINCT FROM \(saved.cursor) AND done = \(saved.done)
      AND counter_values = \(saved.counters.values)
    """
  }
}

extension [Claim] {
  /// The claims as a table that is joined with `jobkit.part`.
  var table: Statement {
    let cursors: [String?] = map(\.saved.cursor)
    return """
      unnest(\(map(\.fence.run)), \(map(\.fence.part)), \(map(\.daemon)), \(cursors),
        \(map(\.saved.done)), \(map(\.saved.counters.written)))
        AS claim (run, number, daemon, cursor, done, counter_values)
      """
  }
}

extension Counters {
  /// The values as Postgres writes them: arrays of different lengths do not travel as one.
  fileprivate var written: String {
    "{\(values.map { "\($0)" }.joined(separator: ","))}"
  }
}
