import JobKit
import Ledger
import LocalTime
import Testing

@Suite("Decision")
struct DecisionTests {
  private static let noon = Instant(secondsSince1970: 1_772_366_400)

  /// The ticks of every minute up to noon, the newest `late` before now.
  private func decide(
    _ count: Int, late: Duration = .zero, isEnabled: Bool = true, snapshot: JobSnapshot = .quiet,
    _ tune: (inout Policies) -> Void = { _ in }
  ) -> Decision {
    var policies = Policies()
    tune(&policies)
    let moments = (0..<count).reversed().map { Self.noon - .seconds(60 * $0) }
    return Decision(
      of: moments, now: Self.noon + late, isEnabled: isEnabled, snapshot: snapshot, under: policies)
  }

  @Test(arguments: [
    (Duration.zero, CatchUp.Policy.skip, "due"),
    (.seconds(60), .skip, "due"),
    (.seconds(61), .skip, "missed: no daemon was looking; missed ticks of this job are not run"),
    (.seconds(61), .latest, "due"),
    (.seconds(3600), .latest, "due"),
    (.seconds(3601), .latest, "missed: no daemon was looking until it was too late"),
    (.seconds(3600), .all, "due"),
    (.seconds(3601), .all, "missed: no daemon was looking until it was too late"),
  ])
  func `a tick is on time for a minute, and worth running within the window`(
    late: Duration, policy: CatchUp.Policy, fate: String
  ) {
    let decision = decide(1, late: late) { $0.catchUp = CatchUp(policy, within: .seconds(3600)) }

    #expect(decision.fates == [fate])
  }

  @Test(arguments: [
    (CatchUp.Policy.latest, ["newest", "newest", "due"]),
    (.skip, ["not run", "not run", "due"]),
    (.all, ["due", "due", "due"]),
  ])
  func `what becomes of the ticks before the newest is the job's choice`(
    policy: CatchUp.Policy, expected: [String]
  ) {
    let words = [
      "newest": "missed: no daemon was looking; the newest tick runs in its place",
      "not run": "missed: no daemon was looking; missed ticks of this job are not run",
    ]

    let decision = decide(3) { $0.catchUp = CatchUp(policy) }

    #expect(decision.fates == expected.map { words[$0] ?? $0 })
  }

  @Test func `of more missed ticks than may be run at once the newest are run`() {
    let decision = decide(5) { $0.catchUp = CatchUp(.all, most: 2) }

    let surplus = "missed: no daemon was looking; more ticks were missed than may be run at once"
    #expect(decision.fates == [surplus, surplus, surplus, "due", "due"])
  }

  @Test func `catching up all ends where the window begins`() {
    let decision = decide(4, late: .seconds(1)) {
      $0.catchUp = CatchUp(.all, within: .seconds(120))
    }

    let late = "missed: no daemon was looking until it was too late"
    #expect(decision.fates == [late, late, "due", "due"])
  }

  private static let earlier = "skipped: overlap: an earlier run is not over"
  private static let another = "\(earlier), and another waits for its end"

  @Test(arguments: [
    (Overlap.skip, false, false, "due", false),
    (.skip, true, false, earlier, false),
    (.skip, false, true, earlier, false),
    (.queueOne, true, false, "due", false),
    (.queueOne, false, true, another, false),
    (.queueOne, true, true, another, false),
    (.cancelOther, false, false, "due", false),
    (.cancelOther, true, false, "due", true),
    (.cancelOther, true, true, another, false),
    (.allow, true, true, "due", false),
  ])
  func `a tick that meets another run does what the job's overlap says`(
    overlap: Overlap, hasRunning: Bool, hasWaiting: Bool, fate: String, cancels: Bool
  ) {
    var snapshot = JobSnapshot.quiet
    (snapshot.hasRunning, snapshot.hasWaiting) = (hasRunning, hasWaiting)

    let decision = decide(1, snapshot: snapshot) { $0.overlap = overlap }

    #expect(decision.fates == [fate])
    #expect(decision.cancelsOthers == cancels)
  }

  @Test func `nobody is asked to stop for a tick that is not run`() {
    var snapshot = JobSnapshot.quiet
    snapshot.hasRunning = true

    let decision = decide(1, isEnabled: false, snapshot: snapshot) { $0.overlap = .cancelOther }

    #expect(!decision.cancelsOthers)
    #expect(decision.fates == ["skipped: disabled in the settings"])
  }

  @Test(arguments: [
    (-1, nil, "skipped: paused by ana: APNs is down"),
    (0, nil, "skipped: paused by ana: APNs is down"),
    (1, nil, "due"),
    (-60, 1, "skipped: paused by ana: APNs is down"),
    (-60, 0, "due"),
    (-60, -1, "due"),
  ])
  func `a pause holds the ticks from its beginning up to its end, which it leaves out`(
    since: Int, until: Int?, fate: String
  ) {
    var snapshot = JobSnapshot.quiet
    snapshot.pause = Pause(
      since: Self.noon + .seconds(since), author: "ana", reason: "APNs is down",
      until: until.map { Self.noon + .seconds($0) })

    #expect(decide(1, snapshot: snapshot).fates == [fate])
  }

  @Test func `what was missed before a pause is not run during the pause`() {
    var snapshot = JobSnapshot.quiet
    snapshot.pause = Pause(since: Self.noon - .seconds(90), author: "ana", reason: "no")

    let decision = decide(3, snapshot: snapshot) { $0.catchUp = CatchUp(.all) }

    #expect(
      decision.fates == [
        "missed: no daemon was looking, and now the job is paused", "skipped: paused by ana: no",
        "skipped: paused by ana: no",
      ])
  }

  @Test func `the newest tick outside a pause that is over stands in for the missed ones`() {
    var snapshot = JobSnapshot.quiet
    snapshot.pause = Pause(
      since: Self.noon - .seconds(30), author: "ana", reason: "no", until: Self.noon + .seconds(10))

    let decision = decide(3, late: .seconds(20), snapshot: snapshot)

    #expect(
      decision.fates == [
        "missed: no daemon was looking; the newest tick runs in its place", "due",
        "skipped: paused by ana: no",
      ])
  }

  @Test(arguments: [(25, 25), (26, 2)])
  func `more than 24 ticks in a row that nobody ran become one row`(count: Int, rows: Int) {
    let decision = decide(count)

    #expect(decision.ticks.count == rows)
    #expect(decision.ticks.map(\.count).reduce(0, +) == count)
    #expect(decision.fates.last == "due")
  }

  @Test func `a long row tells its first tick, its count and why`() {
    let decision = decide(100) { $0.catchUp = CatchUp(.all, most: 10) }

    #expect(decision.ticks.count == 11)
    #expect(
      decision.fates.first
        == "90 ticks since \(Self.noon - .seconds(99 * 60)) missed: no daemon was"
        + " looking; more ticks were missed than may be run at once")
    #expect(decision.ticks.first?.scheduledFor == Self.noon - .seconds(600))
  }

  @Test func `jitter puts off by a fixed share that the name alone decides`() throws {
    let jittered = try ScheduledJob.sample { $0.jitter = .seconds(30) }
    let again = try ScheduledJob.sample(every: .seconds(3600)) { $0.jitter = .seconds(30) }

    #expect(jittered.delay == again.delay)
    #expect(jittered.delay > .zero && jittered.delay < .seconds(30))
    #expect(try ScheduledJob.sample().delay == .zero)
  }
}

extension JobSnapshot {
  /// A job of which nothing runs or waits, and which nobody has paused.
  fileprivate static let quiet = JobSnapshot(decidedUntil: Instant(microseconds: 0))
}

extension Decision {
  /// What becomes of each tick, in the words of the ledger.
  fileprivate var fates: [String] { ticks.map { "\($0.fate)" } }
}

extension Tick {
  fileprivate var count: Int {
    if case .collapsed(_, let count, _) = fate { count } else { 1 }
  }
}
