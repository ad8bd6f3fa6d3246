internal import JobKit
internal import Postgres
internal import Runner
internal import Settings

extension ManualRun {
  /// Lets `first` work at a run while further workers take other parts of it, all together as many as it has
  /// parts and the settings have workers.
  func withWorkers(
    at run: RunAtHand, parts: Int, _ first: (inout Worker) throws -> Void
  ) throws {
    var worker = Worker(of: crew, clock: .database, on: try Connection(to: opened.server))
    let others = FurtherWorkers(
      min(parts, opened.settings.workers) - 1, at: run, of: crew, on: opened.server,
      console: console)
    defer {
      run.end()
      others.end()
    }
    do {
      try first(&worker)
    } catch {
      // Before the others hear that they are to hand over, or they would claim what they gave back.
      run.end()
      crew.holdings.ask(.drained)
      throw error
    }
  }
}
