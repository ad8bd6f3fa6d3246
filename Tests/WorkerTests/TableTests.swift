import Testing

@testable import WorkerProgram

@Suite("Table")
struct TableTests {
  private var table: Table {
    var table = Table("job", "next")
    table.add("schedule_daily_push", "03:00")
    table.add("purge", "")
    return table
  }

  @Test func `columns are aligned and no line ends in blanks`() {
    #expect(
      table.text(in: Style(isColoured: false)) == """
        job                  next
        schedule_daily_push  03:00
        purge
        """)
  }

  @Test func `a cell keeps to its line`() {
    var table = Table("schedule", "zone")
    table.add("0 9\t*\n*", "UTC")

    #expect(
      table.text(in: Style(isColoured: false)) == #"""
        schedule   zone
        0 9\t*\n*  UTC
        """#)
  }

  @Test func `what is too long for a narrow terminal goes on below itself, and nothing is lost`() {
    var table = Table("run", "what")
    table.add("1", "settled 1706, quarantined 10, duplicate 24")
    table.add("2", "")

    #expect(
      table.text(in: Style(isColoured: false, width: 29)) == """
        run  what
        1    settled 1706,
             quarantined 10,
             duplicate 24
        2
        """)
    #expect(!table.text(in: Style(isColoured: false)).contains("\n     "))
  }

  @Test func `no word is broken: where the room is too small for one, it has a line of its own`() {
    var table = Table("run", "what")
    table.add("1", "settled 1706, quarantined 10")
    table.add("2", "anUnbrokenWordOf28Characters")

    #expect(
      table.text(in: Style(isColoured: false, width: 32)) == """
        run
            what
        1
            settled 1706, quarantined 10
        2
            anUnbrokenWordOf28Characters
        """)
  }

  private var ranked: Table {
    var table = Table(
      "job", Table.Column("zone", rank: 2), Table.Column("next", rank: 1, remark: "UTC"), "state")
    table.add("schedule_daily_push", "America/New_York", "15:45 (in 5 min)", "succeeded")
    return table
  }

  @Test func `of a table that is too wide the column that matters least is left out first`() {
    #expect(
      ranked.text(in: Style(isColoured: false, width: 60)) == """
        job                  next (UTC)        state
        schedule_daily_push  15:45 (in 5 min)  succeeded
        not shown: zone; --wide shows everything
        """)
    #expect(
      ranked.text(in: Style(isColoured: false, width: 30)) == """
        job                  state
        schedule_daily_push  succeeded
        not shown: zone, next; --wide
        shows everything
        """)
  }

  @Test func `a pipe and --wide get every column`() {
    let narrow = Style(isColoured: false, width: 30)

    #expect(ranked.text(in: narrow.wide) == ranked.text(in: Style(isColoured: false)))
    #expect(ranked.text(in: narrow.wide).contains("zone              next (UTC)"))
  }

  @Test func `columns that are asked for are shown in that order, however narrow it is`() throws {
    let arguments = try Arguments(["--columns", "state,next"], of: .jobs)

    #expect(
      try ranked.chosen(by: arguments, of: .jobs).text(in: Style(isColoured: false, width: 20))
        == """
        state
            next (UTC)
        succeeded
            15:45 (in 5 min)
        """)
  }

  @Test func `a column that there is not is refused with those there are`() throws {
    let arguments = try Arguments(["--columns", "job,nxt"], of: .jobs)

    let error = #expect(throws: UsageError.self) {
      try ranked.chosen(by: arguments, of: .jobs)
    }
    #expect(
      error?.description.contains(
        "'--columns job,nxt': there is no column 'nxt': write job, zone, next, state") == true)
  }

  @Test func `only a coloured style writes escape codes`() {
    #expect(table.text(in: Style(isColoured: true)).contains("\u{1B}[1m"))
    #expect(!table.text(in: Style(isColoured: false)).contains("\u{1B}"))
  }

  @Test func `a sentence goes on below itself on a terminal, and in a pipe it is one line`() {
    let narrow = Style(isColoured: false, width: 20)

    #expect(
      narrow.fitted("no daemon is there", behind: "live      ")
        == "live      no daemon\n          is there")
    #expect(narrow.fitted("ok", behind: "live      ") == "live      ok")
    #expect(
      narrow.fitted("No daemon has ever run.\n\nAll is well.")
        == "No daemon has ever\nrun.\n\nAll is well.")
    #expect(
      narrow.wide.fitted("no daemon is there", behind: "live      ")
        == "live      no daemon is there")
  }
}
