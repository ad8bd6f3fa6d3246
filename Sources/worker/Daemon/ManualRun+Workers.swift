internal import JobKit
internal import Postgres

extension ManualRun {
  /// Lets `first` work at a run while further workers take other parts of it, all together as many as the
  /// settings have workers and a run has parts.
  func withWorkers<Value>(
    at number: Int, _ first: (inout Worker) throws -> Value
  ) throws -> Value {
    var worker = Worker(of: crew, clock: .database, on: try Connection(to: opened.server))
    let (interruption, console) = (self.interruption, self.console)
    let others = FurtherWorkers(
      min(job.parts, opened.settings.workers) - 1, of: crew, on: opened.server, console: console
    ) { worker in
      _ = try Self.claimAll(of: number, by: &worker, until: interruption, telling: console)
    }
    defer { others.end() }
    do {
      return try first(&worker)
    } catch {
      crew.holdings.ask(.drained)
      throw error
    }
  }

  /// Claims and runs what is due of a run, part by part; false when nothing is.
  func claimAll(of number: Int, by worker: inout Worker) throws -> Bool {
    try Self.claimAll(of: number, by: &worker, until: interruption, telling: console)
  }

  private static func claimAll(
    of number: Int, by worker: inout Worker, until interruption: Interruption,
    telling console: Console
  ) throws -> Bool {
    var hasBegun = false
    while !interruption.comes(within: 0) {
      let turns = try worker.work(onlyOn: number)
      if turns.isEmpty { break }
      hasBegun = true
      for turn in turns {
        console.remark("part \(turn.part.fence.part + 1) of \(turn.part.parts): \(turn.end)")
      }
    }
    return hasBegun
  }
}
