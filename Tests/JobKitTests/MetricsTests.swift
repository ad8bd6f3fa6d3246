@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Synchronization
import Testing

/// What a daemon shows of itself, from what it hears.
@Suite("Metrics")
struct MetricsTests {
  private let time = Hand()
  private let metrics: Metrics
  private let noon = Instant(secondsSince1970: 1_767_268_800)

  init() throws {
    metrics = Metrics(
      limit: .seconds(90), version: "1", commit: "c", compiler: "6",
      uptime: { [time] in time.shown })
    metrics.handle(.scheduled([try .sample { $0.lateAfter = .seconds(60) }]))
  }

  private func problems(_ aspect: HealthReport.Aspect) -> [String] {
    metrics.report(on: aspect).problems.map(\.description)
  }

  private func healthSnapshot(
    decidedUntil: Instant, success: Instant? = nil, pause: Pause? = nil
  ) -> HealthSnapshot {
    let job = HealthSnapshot.Job(
      name: "sample", decidedUntil: decidedUntil, pause: pause, held: nil, waiting: nil,
      lastSuccess: success, failing: nil, blocked: nil, isScheduled: true, hasDaemon: true)
    return HealthSnapshot(
      now: noon, daemons: 1, ready: 1, draining: 0, lastSeen: noon, jobs: [job])
  }

  private func metric(_ line: String) -> Bool { metrics.metrics().contains("\n\(line)\n") }

  @Test func `a daemon is alive from its start on, and ready from its first pass`() {
    let before = (problems(.live), problems(.ready))
    metrics.handle(.maintained(at: noon))
    metrics.handle(.passed(Scheduler.Pass(), at: noon))

    #expect(before.0 == [])
    #expect(before.1 == ["no decision pass is complete yet"])
    #expect(problems(.ready) == [])
    #expect(metric("worker_ready 1"))
  }

  @Test func `a job without a row is a problem from the first look after it was taken on`() throws {
    lookAtNothing(at: noon)
    try pass(over: "sample", at: noon + .seconds(1))
    let before = problems(.schedule)
    lookAtNothing(at: noon + .seconds(1))
    let first = problems(.schedule)
    metrics.handle(.scheduled([try .sample(), try .sample("other")]))
    let renewed = problems(.schedule)
    // One over the jobs of before ends late.
    try pass(over: "sample", at: noon + .seconds(2))
    lookAtNothing(at: noon + .seconds(2))
    let late = problems(.schedule)
    try pass(over: "sample", "other", at: noon + .seconds(3))
    lookAtNothing(at: noon + .seconds(3))

    #expect(before == [] && renewed == [] && late == [])
    #expect(
      first == [
        "sample: it is enabled and has no row in jobkit.job, so its ticks are not decided: a daemon that"
          + " has this job in its settings enters it with its next pass"
      ])
    #expect(problems(.schedule).count == 2)
  }

  @Test func `a job without a row is a problem also after the clock was set back`() throws {
    try pass(over: "sample", at: noon)
    try pass(over: "sample", at: noon - .seconds(3600))
    lookAtNothing(at: noon - .seconds(3590))

    #expect(problems(.schedule).count == 1)
  }

  private func pass(over jobs: JobName..., at now: Instant) throws {
    var pass = Scheduler.Pass()
    pass.jobs = Set(jobs)
    metrics.handle(.passed(pass, at: now))
  }

  /// A look at a ledger that has no job.
  private func lookAtNothing(at now: Instant) {
    metrics.handle(
      .tookSnapshot(
        HealthSnapshot(
          now: now, daemons: 1, ready: 1, draining: 0, lastSeen: now, jobs: [])))
  }

  @Test func `a loop that stands makes it dead, the other one does not hide it`() {
    metrics.handle(.passed(Scheduler.Pass(), at: noon))
    time.pass(.seconds(60))
    metrics.handle(.maintained(at: noon))
    time.pass(.seconds(30))
    let inTime = problems(.live)
    time.pass(.seconds(1))

    #expect(inTime == [])
    #expect(
      problems(.live) == [
        "the scheduler loop has made no progress for 1m31s (limit 1m30s): restart the daemon"
      ])
  }

  @Test func `a database that is away makes it unready and leaves it alive`() {
    metrics.handle(.maintained(at: noon))
    metrics.handle(.passed(Scheduler.Pass(), at: noon))
    for _ in 0..<10 {
      time.pass(.seconds(35))
      metrics.handle(.lostConnection(loop: "maintenance"))
      metrics.handle(.lostConnection(loop: "scheduler"))
    }

    #expect(problems(.live) == [])
    #expect(
      problems(.ready) == [
        "the database does not answer: the log says why, and it is tried again"
      ])
    #expect(metric("worker_database_connected 0"))
    #expect(metric(#"worker_connection_failures_total{loop="maintenance"} 10"#))

    metrics.handle(.maintained(at: noon))

    #expect(problems(.ready) == [])
  }

  @Test func `a daemon that drains is alive and not ready`() {
    metrics.handle(.passed(Scheduler.Pass(), at: noon))
    metrics.handle(.draining)
    time.pass(.seconds(3600))
    metrics.handle(.maintained(at: noon))

    #expect(problems(.live) == [])
    #expect(problems(.ready) == ["it ends what runs and begins nothing new"])
    #expect(metric("worker_draining 1"))
  }

  @Test func `the schedule is judged as of the survey, and by now when that is too old`() {
    let unknown = problems(.schedule)
    metrics.handle(.tookSnapshot(healthSnapshot(decidedUntil: noon)))
    metrics.handle(.maintained(at: noon))
    time.pass(.seconds(30))
    let fresh = problems(.schedule)
    time.pass(.seconds(100))

    #expect(unknown == ["the ledger was not looked at yet"])
    #expect(fresh == [])
    #expect(
      problems(.schedule) == [
        "the ledger was looked at 2m10s ago, which is too long",
        "sample: its tick of 2026-01-01T12:01:00Z is 1m10s late and has no row: is a daemon alive that"
          + " decides?",
      ])
    #expect(metric(#"worker_job_late_seconds{job="sample"} 70"#))
  }

  @Test func `ticks are counted by what became of them, and how late the due ones were`() throws {
    var pass = Scheduler.Pass()
    pass.decided = [
      (
        "sample",
        [
          Tick(scheduledFor: noon, fate: .due),
          Tick(scheduledFor: noon, fate: .notRun(.missed(.tooLate))),
          Tick(scheduledFor: noon, fate: .collapsed(from: noon, count: 25, .missed(.tooLate))),
          Tick(scheduledFor: noon, fate: .collapsed(from: noon, count: 30, .skipped(.disabled))),
        ]
      )
    ]
    (pass.took, pass.completedAt) = (.milliseconds(7), noon + .milliseconds(250))

    metrics.handle(.passed(pass, at: noon))

    #expect(metric(#"worker_ticks_decided_total{job="sample",fate="due"} 1"#))
    #expect(metric(#"worker_ticks_decided_total{job="sample",fate="missed"} 26"#))
    #expect(metric(#"worker_ticks_decided_total{job="sample",fate="skipped"} 30"#))
    #expect(metric(#"worker_tick_lateness_seconds_bucket{le="0.1"} 0"#))
    #expect(metric(#"worker_tick_lateness_seconds_bucket{le="0.25"} 1"#))
    #expect(metric("worker_pass_duration_seconds_sum 0.007"))
    #expect(metric(#"worker_next_tick_timestamp_seconds{job="sample"} 1767268860"#))
  }

  @Test(arguments: [(nil, false), (61, false), (60, true)])
  func `a job runs next at a tick that no pause holds`(until: Int?, isShown: Bool) {
    let pause = Pause(
      since: noon, author: "ana", reason: "why", until: until.map { noon + .seconds($0) })
    metrics.handle(.maintained(at: noon))
    metrics.handle(.tookSnapshot(healthSnapshot(decidedUntil: noon, pause: pause)))

    #expect(metrics.metrics().contains("\nworker_next_tick_timestamp_seconds{") == isShown)
  }

  @Test func `the latest success is remembered when the newest ticks have none`() {
    metrics.handle(.tookSnapshot(healthSnapshot(decidedUntil: noon, success: noon)))
    metrics.handle(.tookSnapshot(healthSnapshot(decidedUntil: noon)))

    #expect(metric(#"worker_last_success_timestamp_seconds{job="sample"} 1767268800"#))
  }
}

/// A clock that is turned by hand.
private final class Hand: Sendable {
  private let time = Mutex(Duration.seconds(1000))

  var shown: Duration { time.withLock(\.self) }

  func pass(_ more: Duration) { time.withLock { $0 += more } }
}
