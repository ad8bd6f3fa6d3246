import JobKit
import Jobs
import Ledger
import LocalTime
import Postgres
import Push
import Synchronization
import TestKit
import TestSupport
import Testing

/// A provider that takes several windows of pushes before it says what became of the first.
@Suite("Several windows of pushes on their way")
struct PushesInHandTests {
  private let scene: PushScene

  init() throws {
    scene = try PushScene()
  }

  /// Remembers in which order pushes were sent and asked for.
  private final class SlowProvider: PushTransport {
    let windows = 3
    let seen = Mutex<[String]>([])
    private let work: @Sendable (Int) -> Void

    /// Does some work when it is handed the window of that number.
    init(_ work: @escaping @Sendable (Int) -> Void = { _ in }) {
      self.work = work
    }

    func send(_ pushes: [PushMessage]) -> [Delivery] { begin(pushes)() }

    func begin(_ pushes: [PushMessage]) -> () -> [Delivery] {
      let number = seen.withLock { seen in
        seen.append("+\(pushes.count)")
        return seen.count { $0.hasPrefix("+") }
      }
      work(number)
      return { [self] in
        seen.withLock { $0.append("-\(pushes.count)") }
        return pushes.map { _ in .sent }
      }
    }
  }

  private func deliver(through transport: any PushTransport, window: Int) throws -> RunRecord {
    let rules = DeliveryRules(window: window)
    return try scene.stage.run(
      InParts(1, of: DeliverPushes(through: transport, saying: .builtIn, rules: rules)))
  }

  @Test func `others are claimed meanwhile, and never more are in hand than may be`() throws {
    try scene.addDue(1...11)
    let provider = SlowProvider()

    let run = try deliver(through: provider, window: 6)

    #expect(
      provider.seen.withLock(\.self)
        == ["+2", "+2", "+2", "-2", "+2", "-2", "+2", "-2", "+1", "-2", "-2", "-1"])
    #expect(run.state == .succeeded && run.counters["sent"] == 11)
    #expect(try scene.states() == "sent 11")
  }

  @Test func `a window of one is in hand alone`() throws {
    try scene.addDue(1...3)
    let provider = SlowProvider()

    _ = try deliver(through: provider, window: 1)

    #expect(provider.seen.withLock(\.self) == ["+1", "-1", "+1", "-1", "+1", "-1"])
  }

  @Test func `what was sent of all windows is written also when the next cannot be claimed`() throws
  {
    try scene.addDue(1...5)
    let url = scene.stage.database.url
    let provider = SlowProvider { number in
      guard number == 2 else { return }
      _ = try? Connection(to: Server(url)).run("ALTER TABLE learning.devices RENAME TO gone")
    }

    let run = try deliver(through: provider, window: 6)

    #expect(run.state != .succeeded && run.counters["sent"] == 4)
    #expect(try scene.states() == "planned 1, sent 4")
  }
}
