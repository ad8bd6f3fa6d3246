internal import Dispatch
internal import JobKit
internal import Ledger
internal import Postgres

/// Shows on standard error how far a run is while it goes on: one line that is drawn anew on a terminal,
/// a line now and then in a pipe.
final class RunDisplay: Sendable {
  private let run: Int
  private let server: Server
  private let console: Console
  private let start = ContinuousClock.now
  private let showing = DispatchGroup()

  init(of run: Int, server: Server, console: Console) {
    (self.run, self.server, self.console) = (run, server, console)
    showing.enter()
    DispatchQueue(label: "display").async { @Sendable [self] in show() }
  }

  /// Ends the display; nothing of it stays on a terminal.
  func end() {
    showing.leave()
    console.clearProgress()
  }

  /// Looks at the ledger again and again, on one connection for as long as that can be used; when the
  /// ledger is out of reach, the next look may succeed.
  private func show() {
    let rhythm = DispatchTimeInterval.milliseconds(console.drawsProgress ? 500 : 10_000)
    var doneBefore: Int?
    while !ends(within: rhythm) {
      guard let connection = try? Connection(to: server) else { continue }
      while let record = try? Ledger.run(run, on: connection), !ends(within: .nanoseconds(0)) {
        let before = doneBefore ?? record.done
        doneBefore = before
        draw(record, recently: record.done - before)
        if ends(within: rhythm) { return }
      }
    }
  }

  private func draw(_ record: RunRecord, recently: Int) {
    let line = ProgressLine(
      done: record.done, total: record.total, recently: recently,
      elapsed: ContinuousClock.now - start)
    if let text = line.text { console.progress("run \(run)  \(text)") }
  }

  /// Whether it has ended, or ends within this time.
  private func ends(within time: DispatchTimeInterval) -> Bool {
    showing.wait(timeout: .now() + time) == .success
  }
}
