import Testing

@testable import worker

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
    table.add("2", "anUnbrokenWordOfThirtyCharacters")
    table.add("3", "")

    #expect(
      table.text(in: Style(isColoured: false, width: 29)) == """
        run  what
        1    settled 1706,
             quarantined 10,
             duplicate 24
        2    anUnbrokenWordOfThirtyCh
             aracters
        3
        """)
    #expect(!table.text(in: Style(isColoured: false, width: 28)).contains("\n     "))
    #expect(!table.text(in: Style(isColoured: false)).contains("\n     "))
  }

  @Test func `only a coloured style writes escape codes`() {
    #expect(table.text(in: Style(isColoured: true)).contains("\u{1B}[1m"))
    #expect(!table.text(in: Style(isColoured: false)).contains("\u{1B}"))
  }
}
