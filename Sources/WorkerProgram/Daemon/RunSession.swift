internal import Dispatch
internal import JobKit
internal import Ledger
internal import Runner
internal import Synchronization

/// A run that several workers of a command work at: when they begin and end, and what they tell.
final class RunSession: Sendable {
  private let number: Int

  /// How often a part of it is tried.
  private let tries: Int

  /// Whether what makes a part fail is told here, and not with the end of the run.
  private let tellsErrors: Bool
  private let interruption: Interruption
  private let console: Console
  private let state = Mutex(State())
  private let beginning = DispatchGroup()
  private let ending = DispatchGroup()

  private struct State {
    var hasBegun = false
    var isOver = false
  }

  /// A run of whose parts each is tried so often.
  init(
    _ number: Int, tries: Int, tellsErrors: Bool, interruption: Interruption, console: Console
  ) {
    (self.number, self.tries, self.tellsErrors) = (number, tries, tellsErrors)
    (self.interruption, self.console) = (interruption, console)
    beginning.enter()
    ending.enter()
  }

  /// Claims and runs what is due of it, part by part, until nothing is.
  func workOff(by worker: inout Worker) throws {
    while !state.withLock(\.isOver), !interruption.comes(within: 0) {
      let executions = try worker.work(onlyOn: number) { _ in begin() }
      if executions.isEmpty { return }
      for execution in executions {
        let part = "part \(execution.part.fence.part) (of \(execution.part.parts))"
        console.remark("\(part): \(words(of: execution))")
      }
    }
  }

  /// Works off beside the first worker what is due, and what becomes due until it is over.
  ///
  /// Only the first finds out whether it may begin.
  func help(by worker: inout Worker) throws {
    beginning.wait()
    repeat {
      try workOff(by: &worker)
    } while ending.wait(timeout: .now() + .milliseconds(500)) == .timedOut
  }

  /// Lets no worker claim any more of it.
  func end() {
    let before = state.withLock { state in
      defer { state.isOver = true }
      return state
    }
    guard !before.isOver else { return }
    if !before.hasBegun { beginning.leave() }
    ending.leave()
  }

  private func words(of execution: Worker.PartExecution) -> String {
    switch execution.end {
    case .retry: "\(execution.end) (try \(execution.part.failures + 2) of \(tries))"
    case .failed where !tellsErrors: "failed"
    default: "\(execution.end)"
    }
  }

  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun && !state.isOver
    }
    guard isFirst else { return }
    beginning.leave()
  }
}
