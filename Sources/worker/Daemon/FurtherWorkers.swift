internal import Dispatch
internal import JobKit
internal import Postgres

/// The workers of a run by hand but for the first: they take its other parts meanwhile.
///
/// Each goes on until nothing of the run is due; what is tried again later is left to the first.
struct FurtherWorkers {
  private let atWork = DispatchGroup()

  /// Begins with so many; each has a thread and a connection of its own, on which it does `work`.
  init(
    _ count: Int, of crew: Crew, on server: Server, console: Console,
    _ work: @escaping @Sendable (inout Worker) throws -> Void
  ) {
    for _ in 0..<max(0, count) {
      atWork.enter()
      DispatchQueue(label: "further worker").async { @Sendable [atWork] in
        defer { atWork.leave() }
        do {
          var worker = Worker(of: crew, clock: .database, on: try Connection(to: server))
          try work(&worker)
        } catch {
          console.remark("a further worker ended, and leaves its parts to the others: \(error)")
        }
      }
    }
  }

  /// Waits until all of them have ended.
  func end() { atWork.wait() }
}
