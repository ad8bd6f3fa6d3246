internal import TestSupport
import Testing

@Suite("worker next")
struct NextTests {
  private func next(_ words: String...) throws -> Program {
    try Program(words: ["next"] + words, variables: ["TZDIR": TestEnvironment.zoneinfo])
  }

  @Test func `JSON holds the instant, the local time with its offset, and a note`() throws {
    let program = try next(
      "--schedule", "0 3 8 3 *", "--zone", "America/New_York", "--from", "2026-03-08T00:00:00Z",
      "--count", "1", "--json")

    #expect(
      program.output == """
        [
          {
            "scheduled_for": "2026-03-08T07:00:00Z",
            "local": "2026-03-08T03:00:00-04:00",
            "note": null
          }
        ]

        """)
    #expect(program.exitCode == 0)
  }

  @Test func `an interval of the settings is tried out as well`() throws {
    let program = try next(
      "--schedule", "every 20m", "--zone", "Europe/Zurich", "--from", "2026-03-08T00:00:00Z",
      "-n", "2")

    #expect(
      program.output == """
        scheduled for (+01:00)  day     note
        2026-03-08 01:00        sunday
        2026-03-08 01:20        sunday

        """)
    #expect(program.exitCode == 0)
  }

  @Test func `times are those of the zone, with another offset behind them, or with --utc in UTC`()
    throws
  {
    let words = [
      "--schedule", "30 2 * * *", "--zone", "America/New_York", "--from", "2026-03-07", "-n", "2",
    ]
    let local = try Program(
      words: ["next"] + words, variables: ["TZDIR": TestEnvironment.zoneinfo])
    let utc = try Program(
      words: ["next", "--utc"] + words, variables: ["TZDIR": TestEnvironment.zoneinfo])

    #expect(
      local.output.hasPrefix(
        """
        scheduled for (-05:00)  day       note
        2026-03-07 02:30        saturday
        2026-03-08 03:00-04:00  sunday    02:30 does not exist
        """))
    #expect(
      utc.output.hasPrefix(
        """
        scheduled for (UTC)  day       note
        2026-03-07 07:30     saturday
        2026-03-08 07:00     sunday    02:30 does not exist
        """))
  }

  @Test(arguments: ["every 0s", "every", "every 400d", "every fortnight"])
  func `an interval that is none is refused with what to write`(text: String) throws {
    let program = try next("--schedule", text)

    #expect(
      program.errors
        == "worker: '--schedule \(text)': write whole seconds behind 'every', from 1s to 366d, such"
        + " as 'every 15m'; 'worker next --help' shows what can be written\n")
    #expect(program.exitCode == 64)
  }

  @Test func `a note tells where a change of the clocks decided something`() throws {
    let gap = try next(
      "--schedule", "30 2 * * *", "--zone", "America/New_York", "--from", "2026-03-08",
      "--count", "1")
    let overlap = try next(
      "--schedule", "30 1 * * *", "--zone", "America/New_York", "--from", "2026-11-01",
      "--count", "1")

    #expect(
      gap.output.contains(
        "scheduled for (-04:00)  day     note\n2026-03-08 03:00        sunday  02:30 does not exist on 2026-03-08"
          + " in America/New_York: runs at 03:00, the first moment after the gap"))
    #expect(
      overlap.output.contains(
        "01:30 happens twice on 2026-11-01 in America/New_York: this is the first"))
  }

  @Test func `the ticks are those at or after --from and before --to`() throws {
    let program = try next(
      "--schedule", "0 * * * *", "--from", "2026-01-01T01:00:00Z", "--to", "2026-01-01T03:00:00Z",
      "--json")

    let instants = program.output.matches(of: /"scheduled_for": "([^"]*)"/).map { String($0.1) }
    #expect(instants == ["2026-01-01T01:00:00Z", "2026-01-01T02:00:00Z"])
  }

  @Test func `no tick in the range is an empty array, and a sentence for people`() throws {
    let range = ["--from", "2026-01-01", "--to", "2026-01-02"]
    let json = try Program(words: ["next", "--schedule", "0 0 2 1 *", "--json"] + range)
    let text = try Program(words: ["next", "--schedule", "0 0 2 1 *"] + range)

    #expect(json.output == "[]\n")
    #expect(text.output == "no tick in that time\n")
  }

  @Test func `a surprising schedule is remarked on beside the result, not in it`() throws {
    let program = try next("--schedule", "*/40 * * * *", "--from", "2026-01-01", "--json")

    #expect(!program.output.contains("note:"))
    let text = try next("--schedule", "*/40 * * * *", "--from", "2026-01-01")
    #expect(
      text.errors
        == "note: '*/40' in the minute field begins again at 0 after 40, 20 later instead of 40\n")
  }

  @Test func `an abbreviation for a zone is remarked on, a place is not`() throws {
    let abbreviated = try next(
      "--schedule", "0 9 * * *", "--zone", "EST", "--from", "2026-07-01", "--count", "1")
    let named = try next(
      "--schedule", "0 9 * * *", "--zone", "America/New_York", "--from", "2026-07-01", "--count",
      "1")

    #expect(
      abbreviated.errors
        == "note: zone 'EST' is an abbreviation, and its clocks may not be those of the place you mean:"
        + " write a place, such as America/New_York\n")
    #expect(abbreviated.exitCode == 0 && named.errors.isEmpty)
  }

  @Test func `a range with more ticks than one call prints says where to go on`() throws {
    let full = try next(
      "--schedule", "* * * * * *", "--from", "2026-01-01", "--to", "2026-01-03", "--json")
    let exact = try next(
      "--schedule", "* * * * * *", "--from", "2026-01-01", "--to", "2026-01-02T03:46:40Z", "--json")

    #expect(full.output == exact.output)
    #expect(
      full.errors == "note: the first 100000 are shown: go on with --from 2026-01-02T03:46:40Z\n")
    #expect(exact.errors.isEmpty)
  }

  @Test func `missing zone data is a matter of the machine, not of the command line`() throws {
    let program = try Program(
      "next", "--schedule", "0 9 * * *", variables: ["TZDIR": "/no/such/folder"])

    #expect(
      program.errors == "worker: no zone data: there is no folder '/no/such/folder':"
        + " install the package tzdata or name the folder that has it\n")
    #expect(program.exitCode == 78)
  }

  @Test(arguments: [
    (["--zone", "UTC"], "'--schedule EXPR' is missing"),
    (
      ["--schedule", "*/0 * * * *"],
      "'--schedule */0 * * * *': the step of '*/0' in the minute field is no step:"
        + " write 1 to 59"
    ),
    (
      ["--schedule", "75 * * * *"],
      "'--schedule 75 * * * *': '75' in the minute field is out of range:"
        + " write 0 to 59"
    ),
    (
      ["--schedule", "0 0 30 2 *"],
      "'--schedule 0 0 30 2 *': day '30' never comes in month '2':"
        + " write a day from 1 to 29"
    ),
    (
      ["--schedule", "0 * * * *", "--zone", "Europe/Zurch"],
      "'--zone Europe/Zurch': unknown zone 'Europe/Zurch':"
        + " did you mean 'Europe/Zurich'?"
    ),
    (
      ["--schedule", "0 * * * *", "--dst", "twice"],
      "'--dst twice': write once, every_occurrence or skip_missing"
    ),
    (
      ["--schedule", "0 * * * *", "--count", "0"],
      "'--count 0': write a whole number from 1 to 100000"
    ),
    (
      ["--schedule", "0 * * * *", "--from", "2026-01-02", "--to", "2026-01-01"],
      "'--to 2026-01-01': it must lie after --from, 2026-01-02T00:00:00Z"
    ),
    (
      ["--schedule", "0 * * * *", "--from", "2026-02-30"],
      "'--from 2026-02-30': '2026-02-30' is no day of its month: write 01 to 28"
    ),
    (
      ["--schedule", "0 * * * *", "--from", "soon"],
      "'--from soon': write 2026-03-08T07:00:00Z, a local date or time such as 2026-03-08 or"
        + " '2026-03-08 02:00', yesterday, today, tomorrow, or a while ago such as 2h"
    ),
  ])
  func `what cannot be read is refused with what to write`(
    words: [String], sentence: String
  ) throws {
    let program = try Program(
      words: ["next"] + words, variables: ["TZDIR": TestEnvironment.zoneinfo])

    let joint = sentence.hasSuffix("?") ? " " : "; "
    let help = "'worker next --help' shows what can be written"
    #expect(program.errors == "worker: \(sentence)\(joint)\(help)\n")
    #expect(program.output.isEmpty)
    #expect(program.exitCode == 64)
  }
}
