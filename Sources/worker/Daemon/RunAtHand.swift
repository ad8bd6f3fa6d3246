internal import Dispatch
internal import JobKit
internal import Synchronization

/// A run that several workers of a command work at: when they begin and end, and what they tell.
final class RunAtHand: Sendable {
  private let number: Int
  private let opening: String?
  private let interruption: Interruption
  private let console: Console
  private let state = Mutex(State())
  private let beginning = DispatchGroup()
  private let ending = DispatchGroup()

  private struct State {
    var hasBegun = false
    var isOver = false
  }

  /// A run of which `opening` is told when the first of its parts has been claimed.
  init(_ number: Int, opening: String? = nil, interruption: Interruption, console: Console) {
    (self.number, self.opening) = (number, opening)
    (self.interruption, self.console) = (interruption, console)
    beginning.enter()
    ending.enter()
  }

  /// Whether a part of it has been claimed here.
  var hasBegun: Bool { state.withLock(\.hasBegun) }

  /// Claims and runs what is due of it, part by part, until nothing is.
  func workOff(by worker: inout Worker) throws {
    while !state.withLock(\.isOver), !interruption.comes(within: 0) {
      let turns = try worker.work(onlyOn: number) { _ in begin() }
      if turns.isEmpty { return }
      for turn in turns {
        console.remark("part \(turn.part.fence.part) (of \(turn.part.parts)): \(turn.end)")
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

  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun && !state.isOver
    }
    guard isFirst else { return }
    if let opening { console.remark(opening) }
    beginning.leave()
  }
}
