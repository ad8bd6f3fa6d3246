extension Session {
  /// Hands the pieces of a COPY to `receive` as they come.
  func copyOut(
    _ statement: Statement, limit: Duration?, _ receive: (CopyData) throws -> Void
  ) throws {
    var watch = Watch(statement, limit: limit, isPerWait: true, canceller: canceller)
    try startCopy(.outOfServer, &watch)
    try busy {
      while let data = try nextCopyData(&watch) {
        guard watch.interruption == nil else { continue }
        do {
          try receive(data)
        } catch {
          // The error of the caller is the one to tell; a lost session shows at its next use.
          _ = try? discardRest(&watch, cancelling: true)
          throw error
        }
      }
      _ = try lastResult(&watch)
      if watch.interruption != nil { throw watch.errorOfInterruption }
    }
  }

  /// Runs `feed` while a COPY into the server is under way, and returns the number of rows.
  func copyIn(
    _ statement: Statement, limit: Duration?, _ write: (CopyFeed) throws -> Void
  ) throws -> Int {
    let watch = Watch(statement, limit: limit, isPerWait: true, canceller: canceller)
    let feed = try CopyFeed(watch, on: self)
    return try busy {
      do {
        try write(feed)
      } catch {
        feed.giveUp()
        throw error
      }
      return try feed.finish()
    }
  }
}
