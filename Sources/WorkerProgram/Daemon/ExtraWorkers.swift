internal import Dispatch
internal import JobKit
internal import Postgres
internal import Runner

/// The workers at a run by hand but for the first: they take its other parts meanwhile.
struct ExtraWorkers {
  private let pool: WorkerPool
  private let atWork = DispatchGroup()

  /// Begins with so many; each has a thread and a connection of its own.
  init(_ count: Int, at run: RunSession, of pool: WorkerPool, on server: Server, console: Console) {
    self.pool = pool
    for _ in 0..<max(0, count) {
      atWork.enter()
      DispatchQueue(label: "further worker").async { @Sendable [atWork] in
        defer { atWork.leave() }
        do {
          var worker = Worker(of: pool, clock: .database, on: try Connection(to: server))
          try run.help(by: &worker)
        } catch {
          console.remark("a further worker ended, and leaves its parts to the others: \(error)")
        }
      }
    }
  }

  /// Waits until all of them have ended that hold a part; one that still connects keeps nobody waiting.
  func end() {
    while atWork.wait(timeout: .now() + .seconds(1)) == .timedOut, !pool.activeParts.isEmpty {}
  }
}
