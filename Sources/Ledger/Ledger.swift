/// The ledger: every tick, run and part, as rows of the schema `jobkit`.
///
/// The scheduler writes what is due, the workers claim it, and nothing else is between them. Each
/// function here is one statement, takes the moment it is about as a value, and can be killed before
/// and after without a trace of half a step.
public enum Ledger {}

extension Ledger {
  /// How long what a lease depends on lets the server take for a statement: half of the lease, so that another server
  /// is asked well before the lease would be over.
  package static func patience(for lease: Duration) -> Duration { max(lease / 2, .seconds(2)) }
}
