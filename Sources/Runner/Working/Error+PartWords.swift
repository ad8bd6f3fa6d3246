internal import Postgres

extension Error {
  /// What is written down of an error that ends a part: of a lock that was not had in time, also what to do about that.
  var wordsOfPart: String {
    guard let holder = (self as? PostgresError)?.report?.holder else { return "\(self)" }
    return "\(self); wait until the holder has let go, or end it with \(holder.end)"
  }
}
