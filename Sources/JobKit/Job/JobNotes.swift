internal import Synchronization

/// What a job has looked up while it has a part in hand, so that its run does not ask again what its plan has asked.
package final class JobNotes: Sendable {
  private let facts = Mutex<[String: any Sendable]>([:])

  /// What is noted under a name, or else what a look at the database says, which is noted.
  package func fact<Fact: Sendable>(
    _ name: String, orLook look: () throws -> Fact
  ) rethrows -> Fact {
    if let known = facts.withLock({ $0[name] as? Fact }) { return known }
    let found = try look()
    facts.withLock { $0[name] = found }
    return found
  }

  /// Lets the next who asks look anew.
  package func forget(_ name: String) {
    facts.withLock { $0[name] = nil }
  }
}
