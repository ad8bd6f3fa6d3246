internal import Postgres

/// What a job needs that has a program do its work, beside which the runner cannot stand.
extension JobContext {
  /// Tells `listener` what is asked of the part from here on, on the thread of whoever asks; nil for nobody.
  package func hear(_ listener: (@Sendable (PartSignal) -> Void)?) {
    stop.hear(listener)
  }

  /// Until when no other worker can be given the part, as far as is known; nothing where no worker has it.
  package var leaseEnd: ContinuousClock.Instant? { stop.leaseEnd }

  /// Throws when the part has been asked to stop.
  package func checkStop() throws(Stopped) {
    try stop.check()
  }

  /// Writes what a program has printed beside the part, with how far it has come.
  package mutating func keep(
    output: String, _ advance: (inout Progress) -> Void
  ) throws {
    let store = self.store
    try writeDown { connection, progress in
      advance(&progress)
      try store?.keep(output: output, on: connection)
    }
  }
}

/// A part has failed in a way that trying again does not mend.
package struct FailedForGood: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
