package import Postgres

/// Where a part's progress is kept, for whoever holds the part.
package protocol ProgressStore: Sendable {
  /// Names what is claimed elsewhere as this part's.
  var fence: Fence { get }

  /// Writes `next` within the transaction of a chunk that began at `saved`; throws ``FenceLost`` when somebody
  /// else holds the part.
  func save(_ next: Progress, after saved: Progress, on connection: borrowing Connection) throws

  /// Writes what a program of the part has printed, in a transaction that saves progress, too.
  func keep(output: String, on connection: borrowing Connection) throws
}
