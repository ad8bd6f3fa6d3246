@testable import JobKit
@testable import Runner

import Testing

@Suite("Figures")
struct MetricStoreTests {
  @Test func `counters and gauges are written with their help, kind and labels`() {
    var store = MetricStore()
    store.add(to: .connectionFailures, "maintenance")
    store.add(2, to: .connectionFailures, "maintenance")
    store.set(.lastMaintenance, to: 1_767_225_600.25)

    #expect(
      store.text == """
        # HELP worker_connection_failures_total Connections that a loop lost or could not make.
        # TYPE worker_connection_failures_total counter
        worker_connection_failures_total{loop="maintenance"} 3
        # HELP worker_last_maintenance_timestamp_seconds When the latest pass of maintenance was complete, by the database's clock.
        # TYPE worker_last_maintenance_timestamp_seconds gauge
        worker_last_maintenance_timestamp_seconds 1767225600.25

        """)
  }

  @Test func `a histogram counts each observation in its bucket and in all above`() {
    var store = MetricStore()
    for seconds in [0.002, 0.0025, 0.3, 99] { store.observe(seconds, in: .passDuration) }

    let lines = store.text.split(separator: "\n").filter { !$0.hasPrefix("#") }

    #expect(
      lines == [
        "worker_pass_duration_seconds_bucket{le=\"0.001\"} 0",
        "worker_pass_duration_seconds_bucket{le=\"0.0025\"} 2",
        "worker_pass_duration_seconds_bucket{le=\"0.005\"} 2",
        "worker_pass_duration_seconds_bucket{le=\"0.01\"} 2",
        "worker_pass_duration_seconds_bucket{le=\"0.025\"} 2",
        "worker_pass_duration_seconds_bucket{le=\"0.05\"} 2",
        "worker_pass_duration_seconds_bucket{le=\"0.1\"} 2",
        "worker_pass_duration_seconds_bucket{le=\"0.25\"} 2",
        "worker_pass_duration_seconds_bucket{le=\"0.5\"} 3",
        "worker_pass_duration_seconds_bucket{le=\"1\"} 3",
        "worker_pass_duration_seconds_bucket{le=\"2.5\"} 3",
        "worker_pass_duration_seconds_bucket{le=\"5\"} 3",
        "worker_pass_duration_seconds_bucket{le=\"+Inf\"} 4",
        "worker_pass_duration_seconds_sum 99.3045",
        "worker_pass_duration_seconds_count 4",
      ])
  }

  @Test func `what would end a label's value early is escaped`() {
    var store = MetricStore()
    store.set(.build, "1\"2", "a\\b", "c\nd", to: 1)

    #expect(store.text.contains(#"{version="1\"2",commit="a\\b",swift="c\nd"} 1"#))
  }

  @Test func `every figure has a name of its own, and a unit where it has one`() {
    let names = Metric.all.map(\.name)

    #expect(Set(names).count == names.count)
    for metric in Metric.all {
      #expect((metric.kind == .counter) == metric.name.hasSuffix("_total"), "\(metric.name)")
    }
  }
}
