import JobKit
import Push
import Runner
import Synchronization
import TestKit
import Testing

@testable import Jobs

@Suite("Dry runs of deliver pushes")
struct DryDeliveryTests {
  private let scene: PushScene
  private let postbox = Postbox()

  init() throws {
    scene = try PushScene()
  }

  @Test func `a dry run says what it would send, and sends nothing`() throws {
    try scene.addDue(1...2)
    let before = try scene.fingerprint()

    let report = try scene.stage.dryRun(DeliverPushes(through: postbox, saying: .builtIn))

    #expect(report.planned == 2 && report.progress.counters["sent"] == 2)
    #expect(report.description.contains("would send 2 pushes"))
    #expect(report.progress.examples.count == 2)
    #expect(
      report.progress.examples.first
        == "learner 1: a push for 2026-03-01, 'Today's sentences are ready'")
    #expect(postbox.ids.isEmpty)
    #expect(try scene.fingerprint() == before)
  }

  @Test func `a dry run looks at many at once, as it has none in its hands`() throws {
    try scene.addDue(1...60)
    let asked = Mutex(0)
    let start = ContinuousClock.now
    // Once for each window and for the empty one at its end; a real run has two parts, and asks for ages too.
    let job = DeliverPushes(
      through: postbox, saying: .builtIn, rules: DeliveryRules(window: 20),
      stopwatch: {
        asked.withLock { $0 += 1 }
        return start
      })

    _ = try scene.stage.dryRun(job)
    let dry = asked.withLock { $0 }
    _ = try scene.stage.run(job)

    #expect(dry == 2)
    #expect(asked.withLock { $0 } == dry + 8)
  }

  @Test func `however long a dry run looks at a window, nothing of it is late`() throws {
    try scene.addDue(1...2)
    let asked = Mutex(0)
    let start = ContinuousClock.now
    // Late at first only: who gives back what is too old would claim it for ever.
    let job = DeliverPushes(
      through: postbox, saying: .builtIn,
      stopwatch: {
        asked.withLock { $0 += 1 }
        return start + .seconds(11) * min(asked.withLock { $0 }, 4)
      })

    let counters = try scene.stage.dryRun(job).progress.counters

    #expect(counters["sent"] == 2 && counters["not sent"] == 0)
  }
}
