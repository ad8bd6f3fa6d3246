internal import JobKit
import Runner
internal import TestSupport
internal import Testing

@testable import WorkerProgram

/// The rules that wake people, held against Prometheus's own tools and against the metrics that there are.
@Suite("Alerts and the dashboard")
struct AlertTests {
  private func alerts(_ settings: String = "config/worker.toml") throws -> Program {
    try Program(
      "alerts", "--prometheus", "--config", settings,
      variables: ["TZDIR": TestEnvironment.zoneinfo])
  }

  private func promtool(_ words: String) throws -> Program {
    try Program(shell: "promtool \(words)", variables: ["PATH": "/usr/bin:/bin"])
  }

  @Test func `the file of rules is what the program prints for the settings as they come`() throws {
    #expect(try alerts().output == TextFile.read("deploy/prometheus/alerts.yml"))
  }

  @Test func `promtool accepts the rules, and each is raised when it should be`() throws {
    let check = try promtool("check rules deploy/prometheus/alerts.yml")
    let test = try promtool("test rules deploy/prometheus/alerts.test.yml")

    #expect(check.exitCode == 0, "\(check.errors)\(check.output)")
    #expect(test.exitCode == 0, "\(test.errors)\(test.output)")
  }

  @Test func `every alert is tested with a case that raises it`() throws {
    let tested = try TextFile.read("deploy/prometheus/alerts.test.yml")

    for name in Set(try Self.names(in: alerts().output)) {
      #expect(tested.contains("exp_labels") && tested.contains("alertname: \(name)\n"), "\(name)")
    }
  }

  @Test func `a job's limits are those of its settings; one that is disabled has none`() throws {
    let folder = try ScratchFolder()
    let settings = try folder.write(
      """
      [jobs.deliver_pushes]
      enabled = false
      [jobs.settle_rewards]
      every = "2h"
      late_after = "90s"
      [notify]
      paused_after = "12h"
      """, to: "worker.toml", mode: 0o644)

    let rules = try alerts(settings).output

    #expect(!rules.contains("deliver_pushes"))
    #expect(
      rules.contains("expr: max by (job) (worker_job_late_seconds{job=\"settle_rewards\"}) > 90\n"))
    #expect(
      rules.contains(
        "worker_last_success_timestamp_seconds{job=\"settle_rewards\"}) > 14490 or "))
    #expect(rules.contains("summary: 'settle_rewards is more than 1m30s late'"))
    #expect(rules.contains("expr: max by (job) (worker_job_paused_seconds) > 43200\n"))
  }

  @Test(arguments: [
    ("schedule = \"* 9-17 * * *\"", 2 * 15 * 3600),
    ("schedule = \"*/5 * * * 1-5\"", 2 * 2 * 86_400),
    ("schedule = \"*/15 * * 9-12 *\"", 243 * 86_400),
    ("except = [\"holidays\"]", 10 * 86_400),
    ("except = [\"holidays\"]\nzone = \"America/New_York\"", 10 * 86_400),
  ])
  func `a job that rests at night, for days or for months may go without a success for that long`(
    job: String, least: Int
  ) throws {
    let folder = try ScratchFolder()
    let settings = try folder.write(
      """
      [calendars.holidays]
      days = ["2026-12-24..2027-01-02"]
      [jobs.settle_rewards]
      \(job)

      """, to: "worker.toml", mode: 0o644)

    let rules = try alerts(settings).output
    let seconds = try #require(
      rules.firstMatch(
        of: /worker_last_success_timestamp_seconds\{job="settle_rewards"\}\) > (\d+) or/))

    #expect(try #require(Int(seconds.1)) > least)
  }

  @Test func `the only kind of rules need not be named`() throws {
    let words = ["alerts", "--config", "config/worker.toml"]
    let variables = ["TZDIR": try TestEnvironment.zoneinfo]
    let program = try Program(words: words, variables: variables)
    let named = try Program(words: words + ["--prometheus"], variables: variables)

    #expect(program.output == named.output)
    #expect(program.output.contains("groups:"))
    #expect(program.exitCode == 0)
  }

  @Test func `every metric in the rules and on the dashboard is one that there is`() throws {
    let known = Set(
      Metric.all.flatMap { metric in
        ["", "_bucket", "_sum", "_count"].map { metric.name + $0 }
      })

    for file in ["deploy/prometheus/alerts.yml", "deploy/grafana/worker.json"] {
      let used = try TextFile.read(file).matches(of: /\b(?:worker|process)_[a-z_]*[a-z]\b/)
        .map { String($0.output) }
        .filter { $0 != "worker_jobs" }
      #expect(used.count > 10)
      #expect(Set(used).subtracting(known) == [], "\(file)")
    }
  }

  @Test func `the dashboard is JSON that Python can read`() throws {
    let check = try Program(
      shell: "python3 -m json.tool deploy/grafana/worker.json",
      variables: ["PATH": "/usr/bin:/bin"])

    #expect(check.exitCode == 0, "\(check.errors)")
  }

  @Test func `the page about monitoring has each metric, and each alert with what to do`() throws {
    let page = try TextFile.read("docs/monitoring.md")
    let rules = try alerts().output

    for metric in Metric.all {
      let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
      let cells = ["`\(metric.name)`", metric.kindName, Self.unit(of: metric.name), labels]
      let row = "| " + (cells + [metric.help]).joined(separator: " | ") + " |"
      #expect(page.contains("\n\(row.replacing("|  |", with: "| |"))\n"), "\(metric.name)")
    }
    let shown = Set(page.matches(of: /\n\| `((?:worker|process)_\w+)`/).map { String($0.output.1) })
    #expect(shown == Set(Metric.all.map(\.name)))
    for name in Set(Self.names(in: rules)) { #expect(page.contains("\n| `\(name)` | "), "\(name)") }
    let told = Set(page.matches(of: /\n\| `(Worker\w+)`/).map { String($0.output.1) })
    #expect(told == Set(Self.names(in: rules)))
  }

  private static func unit(of name: String) -> String {
    if name.contains("_seconds") { return "seconds" }
    if name.contains("_bytes") { return "bytes" }
    return name.hasSuffix("_total") ? "count" : "number"
  }

  private static func names(in rules: String) -> [String] {
    rules.matches(of: /- alert: (\w+)\n/).map { String($0.output.1) }
  }
}
