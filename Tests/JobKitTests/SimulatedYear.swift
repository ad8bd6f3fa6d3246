import JobKit
import Ledger
import LocalTime
import TestSupport
import Testing

/// The year that Tests/oracles/year.py writes: its jobs, what happens, and the rows that must be left.
struct SimulatedYear {
  let jobs: [ScheduledJob]
  let start: Instant
  let end: Instant
  let edges: [Edge]

  /// Each row as `job microseconds state`, sorted.
  let rows: [String]

  /// Something that happens to the daemon, or to a job.
  struct Edge {
    let moment: Instant
    let change: Change
  }

  enum Change {
    case outage
    case start
    case clock(to: Instant)
    case pause(JobName)
    case resume(JobName)
  }

  init() throws {
    let zones = try SampleSettings.zones.get()
    jobs = try Self.lines(of: "year-jobs.tsv").map { try Self.job($0, zones: zones) }
    let events = try Self.lines(of: "year-events.tsv")
    start = try Self.moment(events[0][1])
    end = try Self.moment(events[0][2])
    edges = try events.dropFirst().flatMap(Self.edges).sorted { $0.moment < $1.moment }
    rows = try Self.lines(of: "year-ticks.tsv").map { $0.joined(separator: " ") }.sorted()
  }

  private static func lines(of file: String) throws -> [[Substring]] {
    try TextFile.read("\(TestEnvironment.oracles)/\(file)").split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
  }

  private static func job(_ columns: [Substring], zones: ZoneDatabase) throws -> ScheduledJob {
    let zone = try zones.zone(named: String(columns[2]))
    let words = columns[1].split(separator: " ")
    let schedule =
      if words[0] == "every" {
        Schedule(every: try #require(Interval(try duration(words[1]))), shownIn: zone)
      } else {
        Schedule(
          CronSchedule(
            try Cron(columns[1]), in: zone,
            dst: try #require(CronSchedule.ClockChanges(rawValue: String(columns[3])))))
      }
    var policies = Policies()
    policies.jitter = try duration(columns[5])
    policies.catchUp = CatchUp(
      try #require(CatchUp.Policy(rawValue: String(columns[6]))), within: try duration(columns[7]),
      most: try #require(Int(columns[8])))
    return ScheduledJob(
      name: try JobName(String(columns[0])), schedule: schedule, policies: policies,
      isEnabled: columns[4] == "1")
  }

  private static func edges(_ columns: [Substring]) throws -> [Edge] {
    let (moment, until) = (try moment(columns[1]), try moment(columns[2]))
    switch columns[0] {
    case "outage":
      return [Edge(moment: moment, change: .outage), Edge(moment: until, change: .start)]
    case "step back": return [Edge(moment: moment, change: .clock(to: until))]
    default:
      let job = try JobName(String(columns[3]))
      return [
        Edge(moment: moment, change: .pause(job)), Edge(moment: until, change: .resume(job)),
      ]
    }
  }

  private static func moment(_ text: Substring) throws -> Instant {
    Instant(secondsSince1970: try #require(Int(text)))
  }

  private static func duration(_ text: Substring) throws -> Duration {
    .seconds(try #require(Int(text)))
  }
}
