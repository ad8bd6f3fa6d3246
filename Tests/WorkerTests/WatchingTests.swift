import JobKit
import Ledger
import LocalTime
import Postgres
import TestSupport
import Testing

@testable import WorkerProgram

/// What is looked at again and again.
@Suite("Watching")
struct WatchingTests {
  private func shown(_ texts: [String], redraws: Bool) throws -> [String] {
    var (rest, written) = (texts[...], [String]())
    var looks = 0
    let watching = Watching(redraws: redraws) { looks < texts.count }
    try watching.show {
      looks += 1
      return rest.popFirst() ?? ""
    } by: {
      written.append($0)
    }
    return written
  }

  @Test func `a terminal shows the newest in place of what was there`() throws {
    let written = try shown(["a", "b\nc"], redraws: true)

    #expect(written == ["\u{1B}[2J\u{1B}[Ha\n", "\u{1B}[2J\u{1B}[Hb\nc\n"])
  }

  private static let nobody = "no daemon is alive: nothing is decided and nothing runs"

  @Test
  func `a pipe gets each line once, however wide its columns become, and again when it returns`()
    throws
  {
    let written = try shown(
      ["run  state\n1    due", "run   state\n1     due\n1000  due", "nothing", "run  state"],
      redraws: false)

    #expect(written == ["run  state\n", "1    due\n", "1000  due\n", "nothing\n", "run  state\n"])
  }

  @Test(arguments: [("ps --watch", nobody), ("runs --follow", "there is no run yet")])
  func `it shows at once, and a signal ends it with 0`(words: String, line: String) throws {
    let rehearsal = try Rehearsal()

    let program = try rehearsal.program(
      shell: """
        mkfifo "$FOLDER/lines"; "$PROGRAM" \(words) > "$FOLDER/lines" &
        exec 3< "$FOLDER/lines"; read -r line <&3; kill -TERM $!; wait $!; echo "$line: $?"
        """)

    #expect(program.output == "\(line): 0\n")
  }

  @Test func `a run that nothing happens to is no news, however long it takes`() throws {
    let start = try Instant("2026-03-02T04:00:00Z")
    let database = try TestDatabase.migrated()
    try database.connect().run(
      script: """
        INSERT INTO jobkit.job (name, known_since, decided_until)
          VALUES ('settle_rewards', '2026-03-01Z', '2026-03-02Z');
        WITH run AS (
          INSERT INTO jobkit.run (job, scheduled_for, trigger, state, parts_left, decided_at,
            decided_by, started_at)
          VALUES ('settle_rewards', '2026-03-02T04:00Z', 'schedule', 'running', 1,
            '2026-03-02T04:00Z', 'db1:7:a', '2026-03-02T04:00Z')
          RETURNING id)
        INSERT INTO jobkit.part (run, number, job, state, not_before, epoch, daemon, lease_until,
          tries, began_at, started_at)
        SELECT id, 0, 'settle_rewards', 'running', '2026-03-02T04:00Z', 1, 'db1:7:a',
          '2026-03-02T06:00Z', 1, '2026-03-02T04:00Z', '2026-03-02T04:00Z' FROM run
        """)
    let runs = try Ledger.runs(Ledger.RunFilter(), on: database.connect())

    func line(after seconds: Int) -> String {
      let times = Times(zone: .utc, now: start + .seconds(seconds))
      return Command.table(of: runs, times, isFollowed: true).text(in: Style(isColoured: false))
    }

    #expect(runs.count == 1)
    #expect(line(after: 1) == line(after: 4000))
  }

  @Test func `it ends when nobody reads it any more`() throws {
    let rehearsal = try Rehearsal()

    let program = try rehearsal.program(shell: "\"$PROGRAM\" ps --watch | head -n 1")

    #expect(program.output == Self.nobody + "\n")
  }

  @Test(arguments: [["ps", "--watch", "--json"], ["runs", "--follow", "--json"]])
  func `machines look by themselves`(words: [String]) throws {
    let program = try Rehearsal().program(words: words)

    let expected = "worker: '\(words[1])': write \(words[1]) or --json, not both; "
    #expect(program.errors.hasPrefix(expected))
    #expect(program.exitCode == 64)
  }
}
