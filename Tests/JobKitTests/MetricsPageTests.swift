@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Testing

/// What a daemon shows of many jobs.
@Suite("The metrics of many jobs")
struct MetricsPageTests {
  private let noon = Instant(secondsSince1970: 1_767_268_800)

  /// A daemon's metrics that has heard of so many jobs, of which every second one is paused, and each is a minute later
  /// than the one before.
  private func metrics(of names: [JobName]) throws -> Metrics {
    let metrics = Metrics(
      limit: .seconds(90), version: "1", commit: "c", compiler: "6", uptime: { .seconds(1000) })
    let pause = Pause(since: noon - .seconds(30), author: "ana", reason: "why")
    metrics.handle(
      .scheduled(
        try names.enumerated().map { place, name in
          try .sample(name) { $0.lateAfter = .seconds(place + 1) }
        }))
    metrics.handle(.maintained(at: noon))
    let jobs = names.enumerated().map { place, name in
      HealthSnapshot.Job(
        name: name, decidedUntil: noon - .seconds(60 * place),
        pause: place % 2 == 0 ? pause : nil, held: nil, waiting: nil, lastSuccess: nil,
        failing: nil, blocked: nil, isScheduled: true, hasDaemon: true)
    }
    metrics.handle(
      .tookSnapshot(
        HealthSnapshot(
          now: noon, daemons: 1, ready: 1, draining: 0, lastSeen: noon,
          jobs: jobs)))
    return metrics
  }

  @Test func `each is shown as it is scheduled and as it stands`() throws {
    let names = try (1000..<1100).map { try JobName("job_\($0)") }

    let page = try metrics(of: names).metrics()

    for (place, name) in names.enumerated() {
      func has(_ metric: String, _ value: String = "") -> Bool {
        page.contains("\nworker_\(metric){job=\"\(name.text)\"} \(value)")
      }
      #expect(has("job_late_after_seconds", "\(place + 1)\n"))
      #expect(has("job_paused_seconds", "\(place % 2 == 0 ? 30 : 0)\n"))
      #expect(has("job_late_seconds", "\(place == 0 ? 0 : 60 * (place - 1))\n"))
      #expect(has("next_tick_timestamp_seconds") == (place % 2 == 1))
    }
  }
}
