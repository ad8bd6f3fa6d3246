import Ledger
import LocalTime
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// How `worker runs` shows runs to people.
@Suite("The table of runs")
struct RunsTableTests {
  private let database: TestDatabase

  init() throws {
    database = try TestDatabase.migrated()
    try database.connect().run(
      script: """
        INSERT INTO jobkit.job (name, known_since, decided_until)
          VALUES ('refresh_widget_snapshots', '2026-03-01Z', '2026-03-02Z');
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts, parts_left,
            decided_at, decided_by, argument_names, argument_values)
          VALUES ('refresh_widget_snapshots', '2026-03-02T04:00Z', 'manual', 'due', 1, 1,
            '2026-03-02T04:00Z', 'ana@db1', '{full,part}', '{true,3}');
        INSERT INTO jobkit.part (run, number, job, state, not_before)
          VALUES (1, 0, 'refresh_widget_snapshots', 'due', '2026-03-02T04:00Z');
        INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts_left, decided_at,
            decided_by, finished_at)
          SELECT 'refresh_widget_snapshots', moment, 'schedule', state, 'no daemon was looking', 0,
            '2026-03-02T06:00Z', 'db1:7:a', '2026-03-02T06:00Z'
          FROM (VALUES (1, '2026-03-02T05:00Z'::timestamptz, 'missed'), (2, '2026-03-02T05:01Z', 'missed'),
            (3, '2026-03-02T05:02Z', 'missed'), (4, '2026-03-02T05:03Z', 'skipped'))
            AS tick (place, moment, state) ORDER BY place;
        """)
  }

  private func worker(_ words: String...) throws -> Program {
    try Program(
      words: words,
      variables: [
        "WORKER_CONFIG": "/dev/null", "WORKER_DATABASE_URL": database.url,
        "TZDIR": TestEnvironment.zoneinfo,
      ])
  }

  private func table(
    in width: Int?, of trigger: RunTrigger? = nil, _ state: RunState? = nil
  ) throws -> [String] {
    var filter = Ledger.RunFilter()
    (filter.trigger, filter.state) = (trigger, state)
    let runs = try Ledger.runs(filter, on: database.connect())
    let times = Times(zone: .utc, now: try Instant("2026-03-05T00:00:00Z"))
    return Command.table(of: runs, times, in: width)
      .text(in: Style(isColoured: false, width: width)).split(separator: "\n").map(String.init)
  }

  @Test func `ticks that were missed for one reason stand in one line, and JSON has each`() throws {
    let lines = try table(in: nil)
    let json = try worker("runs", "--json").output

    #expect(lines.count == 1 + 3)
    #expect(lines[1].contains(/^5 .* skipped +no daemon was looking$/))
    let three = /^4 .* missed +3 ticks since 2026-03-02 05:00: no daemon was looking$/
    #expect(lines[2].contains(three))
    #expect(json.matches(of: /"state": "missed"/).count == 3)
  }

  @Test func `missed ticks with a tick between that ran are two lines, whatever is shown`() throws {
    try database.connect().run(
      """
      INSERT INTO jobkit.run (job, scheduled_for, trigger, state, reason, parts_left, decided_at,
          decided_by, started_at, finished_at)
        SELECT 'refresh_widget_snapshots', moment, 'schedule', state,
          CASE state WHEN 'missed' THEN 'no daemon was looking' END, 0, moment, 'db1:7:a',
          CASE state WHEN 'succeeded' THEN moment END, moment
        FROM (VALUES (1, '2026-03-02T05:04Z'::timestamptz, 'missed'), (2, '2026-03-02T05:05Z', 'missed'),
          (3, '2026-03-02T05:06Z', 'succeeded'), (4, '2026-03-02T05:07Z', 'missed'),
          (5, '2026-03-02T05:08Z', 'missed'))
          AS tick (place, moment, state) ORDER BY place
      """)

    let lines = try table(in: nil, .missed)

    let rows = lines.dropFirst().map { $0.split(separator: " missed ").last ?? "" }
    #expect(
      rows.map { $0.drop(while: \.isWhitespace) } == [
        "2 ticks since 2026-03-02 05:07: no daemon was looking",
        "2 ticks since 2026-03-02 05:04: no daemon was looking",
        "3 ticks since 2026-03-02 05:00: no daemon was looking",
      ], "\(lines)")
  }

  @Test(arguments: [60, 80, 100])
  func `the job, its time and its state are what a narrow terminal keeps`(width: Int) throws {
    let lines = try table(in: width, of: .schedule)

    #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
    #expect(lines[0].contains(/job +scheduled for \(UTC\) .*state/), "\(lines)")
    let row = /refresh_widget_snapshots +2026-03-02 05:03 .*skipped/
    #expect(lines.contains { $0.contains(row) }, "\(lines)")
    #expect(lines.joined(separator: " ").contains("no daemon was looking"))
  }

  @Test func `a manual run shows what it was asked to do differently`() throws {
    #expect(try worker("runs").output.contains(#/ manual, full=true part=3 +ana@db1 /#))
    #expect(try worker("show", "1").output.contains(/\narguments +full=true part=3\n/))
    #expect(
      try worker("why", "refresh_widget_snapshots").output
        .contains(#/\nrun 1 of .* with full=true part=3 waits for /#))
    #expect(try worker("runs", "--json").output.contains(/"arguments": {\n +"full": "true",/))
  }
}
