import JobKit
import Settings
import Testing

@Suite("Policies in the settings")
struct PolicySettingsTests {
  private static let everything = """
    [jobs.settle_rewards]
    missed = "all"
    missed_within = "2h"
    missed_most = 7
    overlap = "queue_one"
    start_within = "10m"
    jitter = "20s"
    late_after = "90s"
    priority = -5
    soft_limit = "5m"
    hard_limit = "6m"
    tries = 3
    first_wait = "2s"
    longest_wait = "1m"
    worker_losses = 0
    parallel = 4
    batch = 50
    fewest = 10
    most = 2000
    times_usual = 2.5
    parts = 8
    percent = 5
    """

  private func settleRewards(_ text: String) throws -> JobSettings {
    try #require(
      try SampleSettings.load(text).settings.jobs.first { $0.name == "settle_rewards" })
  }

  @Test func `a job that the file leaves alone is treated as it declares`() throws {
    let job = try settleRewards("")

    #expect(job.policies == SampleSettings.settling)
    #expect(job.parts == 3)
    #expect(job.percent == 100)
  }

  @Test func `every policy can be set, and only that of the job that is named`() throws {
    var wanted = Policies()
    wanted.catchUp = CatchUp(.all, within: .seconds(7200), most: 7)
    (wanted.overlap, wanted.mayBackfill) = (.queueOne, false)
    (wanted.startWithin, wanted.jitter) = (.seconds(600), .seconds(20))
    (wanted.lateAfter, wanted.priority) = (.seconds(90), -5)
    (wanted.softLimit, wanted.hardLimit) = (.seconds(300), .seconds(360))
    wanted.retry = Retry(
      tries: 3, first: .seconds(2), longest: .seconds(60), workerLosses: 0)
    (wanted.parallelParts, wanted.batch) = (4, 50)
    wanted.bounds = Bounds(fewest: 10, most: 2000, timesUsual: 2.5)

    let job = try settleRewards(Self.everything)
    let other = try SampleSettings.load(Self.everything).settings.jobs.first

    #expect(job.policies == wanted)
    #expect((job.parts, job.percent) == (8, 5))
    #expect(other?.policies == Policies())
  }

  @Test func `a limit that the job declares can be taken away`() throws {
    let job = try settleRewards(
      """
      [jobs.settle_rewards]
      soft_limit = ""
      parallel = 0
      most = 0
      times_usual = 0
      """)

    #expect(job.policies.softLimit == nil)
    #expect(job.policies.parallelParts == nil)
    #expect(job.policies.bounds == Bounds())
  }

  @Test func `a number of times may be whole`() throws {
    let job = try settleRewards("[jobs.settle_rewards]\ntimes_usual = 3")

    #expect(job.policies.bounds.timesUsual == 3)
  }

  @Test func `what is set is in force by its name, and a change of it is said`() throws {
    let before = try SampleSettings.load("").settings
    let after = try SampleSettings.load(Self.everything).settings

    #expect(
      after.changes(since: before).map(\.description) == [
        "jobs.settle_rewards.missed: latest -> all",
        "jobs.settle_rewards.missed_within: 1d -> 2h",
        "jobs.settle_rewards.missed_most: 100 -> 7",
        "jobs.settle_rewards.overlap: skip -> queue_one",
        "jobs.settle_rewards.start_within: 1h -> 10m",
        "jobs.settle_rewards.jitter: 0s -> 20s",
        "jobs.settle_rewards.late_after: 5m -> 1m30s",
        "jobs.settle_rewards.priority: 0 -> -5",
        "jobs.settle_rewards.soft_limit: 10m -> 5m",
        "jobs.settle_rewards.hard_limit:  -> 6m",
        "jobs.settle_rewards.tries: 5 -> 3",
        "jobs.settle_rewards.first_wait: 10s -> 2s",
        "jobs.settle_rewards.longest_wait: 15m -> 1m",
        "jobs.settle_rewards.worker_losses: 5 -> 0",
        "jobs.settle_rewards.parallel: 2 -> 4",
        "jobs.settle_rewards.batch: 1 -> 50",
        "jobs.settle_rewards.fewest: 0 -> 10",
        "jobs.settle_rewards.most: 1000 -> 2000",
        "jobs.settle_rewards.times_usual: 4.0 -> 2.5",
        "jobs.settle_rewards.parts: 3 -> 8",
        "jobs.settle_rewards.percent: 100 -> 5",
      ])
  }

  @Test(arguments: [
    ("missed = \"none\"", "'…missed' is 'none': write \"latest\", \"skip\" or \"all\""),
    ("missed = 1", "'…missed' is a whole number: write \"latest\", \"skip\" or \"all\""),
    (
      "missed_within = \"0s\"",
      "'…missed_within' is '0s': write a duration from 1s to 366d, such as \"1d\""
    ),
    (
      "missed_most = 0", "'…missed_most' is 0: write a whole number from 1 to 10000, such as 100"
    ),
    (
      "overlap = \"wait\"",
      "'…overlap' is 'wait': write \"skip\", \"queue_one\", \"cancel_other\" or \"allow\""
    ),
    (
      "start_within = \"\"",
      "'…start_within' is '': write a duration from 1s to 366d, such as \"1h\""
    ),
    ("jitter = \"2d\"", "'…jitter' is '2d': write a duration from 0s to 1d, such as \"30s\""),
    (
      "late_after = \"0s\"",
      "'…late_after' is '0s': write a duration from 1s to 366d, such as \"5m\""
    ),
    ("priority = 101", "'…priority' is 101: write a whole number from -100 to 100, such as 10"),
    (
      "soft_limit = \"31d\"",
      "'…soft_limit' is '31d': write a duration from 1s to 30d, such as \"10m\", or \"\" for none"
    ),
    (
      "hard_limit = 0",
      "'…hard_limit' is a whole number: write a duration from 1s to 30d, such as \"10m\","
        + " or \"\" for none"
    ),
    ("tries = 0", "'…tries' is 0: write a whole number from 1 to 100, such as 5"),
    (
      "first_wait = \"0s\"",
      "'…first_wait' is '0s': write a duration from 1s to 1d, such as \"10s\""
    ),
    (
      "longest_wait = \"25h\"",
      "'…longest_wait' is '25h': write a duration from 1s to 1d, such as \"10s\""
    ),
    (
      "worker_losses = -1", "'…worker_losses' is -1: write a whole number from 0 to 100, such as 5"
    ),
    (
      "parallel = -1",
      "'…parallel' is -1: write a whole number from 1 to 1024, such as 8, or 0 for no limit"
    ),
    ("batch = 0", "'…batch' is 0: write a whole number from 1 to 1000, such as 50"),
    (
      "most = 1000000001",
      "'…most' is 1000000001: write a whole number from 1 to 1000000000, such as 200000,"
        + " or 0 for no limit"
    ),
    (
      "fewest = \"\"",
      "'…fewest' is a string: write a whole number from 1 to 1000000000, such as 200000,"
        + " or 0 for no limit"
    ),
    (
      "times_usual = 1",
      "'…times_usual' is 1: write a number above 1, such as 3.5, or 0 for no limit"
    ),
    (
      "times_usual = inf",
      "'…times_usual' is inf: write a number above 1, such as 3.5, or 0 for no limit"
    ),
    (
      "times_usual = nan",
      "'…times_usual' is nan: write a number above 1, such as 3.5, or 0 for no limit"
    ),
    (
      "times_usual = \"2\"",
      "'…times_usual' is a string: write a number above 1, such as 3.5, or 0 for no limit"
    ),
    ("parts = 1025", "'…parts' is 1025: write a whole number from 1 to 1024, such as 16"),
    ("percent = 0", "'…percent' is 0: write a whole number from 1 to 100, such as 5"),
  ])
  func `a policy that is not allowed is refused with what is`(line: String, said: String) throws {
    let problems = try SampleSettings.problems(in: "[jobs.settle_rewards]\n\(line)")

    let column = line.prefix { $0 != "=" }.count + 3
    let sentence = said.replacing("…", with: "jobs.settle_rewards.")
    #expect(problems == ["2:\(column): \(sentence)"])
  }

  @Test(arguments: [
    (
      "soft_limit = \"5m\"\nhard_limit = \"4m\"",
      "3:14: '…soft_limit' is 5m, more than '…hard_limit', which is 4m"
    ),
    (
      "hard_limit = \"4m\"\nsoft_limit = \"5m\"",
      "3:14: '…soft_limit' is 5m, more than '…hard_limit', which is 4m"
    ),
    ("hard_limit = \"4m\"", "2:14: '…soft_limit' is 10m, more than '…hard_limit', which is 4m"),
    ("fewest = 1001", "2:10: '…fewest' is 1001, more than '…most', which is 1000"),
    (
      "longest_wait = \"9s\"", "2:16: '…first_wait' is 10s, more than '…longest_wait', which is 9s"
    ),
  ])
  func `two policies that contradict each other are refused by both their names`(
    lines: String, said: String
  ) throws {
    let problems = try SampleSettings.problems(in: "[jobs.settle_rewards]\n\(lines)")

    let sentence = said.replacing("…", with: "jobs.settle_rewards.")
    #expect(problems == ["\(sentence): lower the one or raise the other"])
  }

  @Test func `two policies that are equal do not contradict each other`() throws {
    let problems = try SampleSettings.problems(
      in: """
        [jobs.settle_rewards]
        soft_limit = "5m"
        hard_limit = "5m"
        fewest = 7
        most = 7
        first_wait = "1m"
        longest_wait = "1m"
        """)

    #expect(problems == [])
  }

  @Test func `whether the past may be run again is for the job to say, and no setting`() throws {
    let problems = try SampleSettings.problems(in: "[jobs.settle_rewards]\nmay_backfill = true")

    #expect(problems.count == 1)
    #expect(
      problems.first?.hasPrefix("2:1: unknown setting 'jobs.settle_rewards.may_backfill': ") == true
    )
  }
}
