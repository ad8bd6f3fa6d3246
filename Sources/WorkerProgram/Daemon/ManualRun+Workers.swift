internal import JobKit
internal import Postgres
internal import Runner
internal import Settings

extension ManualRun {
  /// Lets `first` work at a run while further workers take other parts of it, all together as many as it has
  /// parts and the settings have workers.
  func withWorkers(
    at run: RunSession, parts: Int, _ first: (inout Worker) throws -> Void
  ) throws {
    var worker = Worker(of: pool, clock: .database, on: try Connection(to: session.server))
    let others = ExtraWorkers(
      min(parts, session.settings.workers) - 1, at: run, of: pool, on: session.server,
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
      pool.activeParts.ask(.drained)
      throw error
    }
  }
}
