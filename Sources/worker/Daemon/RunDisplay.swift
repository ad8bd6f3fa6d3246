internal import Dispatch
internal import JobKit
internal import LocalTime
internal import Postgres
internal import Synchronization

/// Shows on standard error how far a run is while it goes on: one line that is drawn anew on a terminal,
/// a line now and then in a pipe.
final class RunDisplay: Sendable {
  private let run: Int
  private let server: Server
  private let console: Console
  private let start = ContinuousClock.now
  private let doneBefore = Mutex<Int?>(nil)
  private let isOver = Mutex(false)
  private let queue = DispatchQueue(label: "display")

  init(of run: Int, server: Server, console: Console) {
    (self.run, self.server, self.console) = (run, server, console)
    showLater()
  }

  /// Ends the display; nothing of it stays on a terminal.
  func end() {
    isOver.withLock { $0 = true }
    console.clearProgress()
  }

  private func showLater() {
    let rhythm = DispatchTimeInterval.milliseconds(console.drawsProgress ? 500 : 10_000)
    queue.asyncAfter(deadline: .now() + rhythm) { @Sendable [weak self] in
      guard let self, !isOver.withLock(\.self) else { return }
      show()
      showLater()
    }
  }

  /// Looks at the ledger; when that is out of reach, the next look may succeed.
  private func show() {
    var filter = Ledger.RunFilter()
    filter.id = run
    guard let connection = try? Connection(to: server),
      let record = try? Ledger.runs(filter, on: connection).first
    else { return }
    let before = doneBefore.withLock { before in
      before = before ?? record.done
      return before ?? 0
    }
    let line = ProgressLine(
      done: record.done, total: record.total, recently: record.done - before,
      elapsed: ContinuousClock.now - start)
    console.progress("run \(run)  \(line.text)")
  }
}
