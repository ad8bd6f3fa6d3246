import JobKit
import Ledger
import Postgres
import TestKit
import TestSupport

/// A table of an app with ordinary rows, and beside them odd ones; a job of each kind goes through it on two days.
struct OddThings {
  private let stage: Stage

  /// The runs that have not succeeded, and why.
  private(set) var faults: [String] = []

  init(adding odd: [OddThing] = []) throws {
    stage = try Stage(at: "2026-03-01T03:30:00Z")
    try stage.connection.run(script: Self.tables)
    try addOrdinary(1001...1120, received: "2026-02-28T00:00:00Z")
    for (number, row) in odd.enumerated() { try add(row, number) }
    try runAll()
    try addOrdinary(1121...1150, received: "2026-03-01T12:00:00Z")
    try stage.pass(.seconds(86_400))
    try runAll()
  }

  private static let tables = """
    CREATE SCHEMA shop;
    CREATE TABLE shop.thing (
      thing_id bigint, label text, made_at timestamptz, amount numeric, token uuid,
      small integer, ratio float8, facts jsonb, zone text, due_on date, note text,
      touches bigint NOT NULL DEFAULT 0, seen_on date, is_odd boolean NOT NULL DEFAULT false,
      received_at timestamptz NOT NULL DEFAULT '2026-02-28Z',
      written_in bigint DEFAULT pg_current_xact_id()::text::bigint,
      PRIMARY KEY (thing_id, label, made_at, amount, token));
    CREATE TABLE shop.archive (LIKE shop.thing, archived_at timestamptz);
    CREATE TABLE shop.total (
      owner bigint, on_day date, label text, things bigint NOT NULL, amount numeric, ratio float8,
      due_on date, note text, PRIMARY KEY (owner, on_day, label));
    """

  private func addOrdinary(_ ids: ClosedRange<Int>, received: String) throws {
    try stage.connection.run(
      """
      INSERT INTO shop.thing (
        thing_id, label, made_at, amount, token, small, ratio, facts, zone, due_on, note, received_at)
      SELECT n, 'thing ' || n % 7, '2026-02-01Z'::timestamptz + (n - 1000) * interval '7 hours', n / 4.0,
        md5(n::text)::uuid, n % 100, n / 7.0, jsonb_build_object('n', n),
        (ARRAY['Asia/Seoul', 'UTC', 'Europe/Zurich', 'America/Sao_Paulo', NULL])[1 + n % 5],
        date '2026-02-26' + n % 6, (ARRAY['red', 'green', 'blue'])[1 + n % 3], \(received)::timestamptz
      FROM generate_series(\(ids.lowerBound)::int, \(ids.upperBound)::int) AS n
      """)
  }

  private func add(_ row: OddThing, _ number: Int) throws {
    var values = [
      "thing_id": "\(5_000_000 + 10 * number)", "label": "'odd'", "made_at": "'2026-02-10Z'",
      "amount": "1", "token": "md5('odd \(number)')::uuid", "is_odd": "true",
    ]
    values.merge(row.odd.map { ($0.column, $0.value) }) { $1 }
    let names = values.keys.sorted()
    let columns = names.map { Statement("\(identifier: $0)") }.joined(by: ", ")
    let list = names.map { Statement(verbatim: values[$0] ?? "NULL") }.joined(by: ", ")
    try stage.connection.run(
      "INSERT INTO shop.thing (\(columns)) VALUES (\(list)) ON CONFLICT DO NOTHING")
  }

  private mutating func runAll() throws {
    for name in ["archive_things", "touch_things", "count_things"] as [JobName] {
      let run = try stage.run(try Described(Self.jobs, named: name))
      if run.state != .succeeded { faults.append("\(name) \(run.state): \(run.error ?? "")") }
    }
  }

  private static let jobs = #"""
    [jobs.archive_things]
    kind = "statement"
    table = "shop.thing"
    key = "thing_id, label, made_at, amount, token"
    where = ":since(received_at, written_in)"
    statement = """
      INSERT INTO shop.archive SELECT thing.*, :moment FROM shop.thing
      WHERE (thing_id, label, made_at, amount, token) IN (:keys)
    """
    chunk = 3
    every = "1d"
    most = 1000000

    [jobs.touch_things]
    kind = "set"
    table = "shop.thing"
    key = "thing_id, label, made_at, amount, token"
    where = """
      made_at <= :moment AND (due_on IS NULL
        OR due_on <= (SELECT day FROM :local_days AS local WHERE local.zone = thing.zone))
    """
    set = """
      touches = touches + 1,
      seen_on = (SELECT day FROM :local_days AS local WHERE local.zone = thing.zone)
    """
    count = "note"
    chunk = 3
    parts = 2
    every = "1d"
    most = 1000000

    [jobs.count_things]
    kind = "roll_up"
    table = "shop.thing"
    into = "shop.total"
    key = "owner, on_day, label"
    by = "thing_id / 10, (made_at AT TIME ZONE 'UTC')::date, label"
    select = """
      SELECT thing_id / 10 AS owner, (made_at AT TIME ZONE 'UTC')::date AS on_day, label,
        count(*) AS things, sum(amount) AS amount, max(ratio) AS ratio, max(due_on) AS due_on,
        min(note) AS note
      FROM shop.thing WHERE (thing_id / 10, (made_at AT TIME ZONE 'UTC')::date, label) IN (:keys)
      GROUP BY 1, 2, 3
    """
    changed = "received_at, written_in"
    chunk = 3
    parts = 2
    every = "1d"
    most = 1000000
    """#
}

extension OddThings {
  /// All that the jobs have made of the ordinary rows, table by table.
  func results() throws -> [String: [String]] {
    [
      "thing": try stage.texts(
        """
        SELECT (to_jsonb(thing) - 'written_in')::text FROM shop.thing WHERE NOT is_odd ORDER BY thing_id
        """),
      "archive": try stage.texts(
        """
        SELECT (to_jsonb(archive) - 'written_in')::text FROM shop.archive WHERE NOT is_odd
        ORDER BY thing_id, archived_at
        """),
      "total": try stage.texts(
        """
        SELECT to_jsonb(total)::text FROM shop.total WHERE owner BETWEEN 100 AND 115
        ORDER BY owner, on_day, label
        """),
    ]
  }

  /// How many odd rows there are.
  func oddRows() throws -> Int { try stage.count("SELECT count(*) FROM shop.thing WHERE is_odd") }

  /// How many rows a job has not met once in each run that they are for, by its work.
  func unmet() throws -> [String: Int] {
    [
      "archive": try stage.count(
        """
        SELECT count(*) FROM shop.thing AS thing CROSS JOIN LATERAL (
          SELECT count(*) AS times FROM shop.archive AS kept
          WHERE (kept.thing_id, kept.label, kept.made_at, kept.amount, kept.token)
            = (thing.thing_id, thing.label, thing.made_at, thing.amount, thing.token)) AS archived
        WHERE times <> CASE WHEN received_at <= '2026-03-02 03:30Z' THEN 1 ELSE 0 END
        """),
      "touch": try stage.count(
        """
        SELECT count(*) FROM shop.thing
        WHERE is_odd AND due_on IS NULL AND made_at <= '2026-03-01 03:30Z' AND touches <> 2
        """),
      "count": try stage.count(
        """
        SELECT count(*) FROM (
          SELECT thing_id / 10, (made_at AT TIME ZONE 'UTC')::date, label, count(*) FROM shop.thing
          GROUP BY 1, 2, 3 HAVING min(received_at) <= '2026-03-02 03:30Z'
          EXCEPT SELECT owner, on_day, label, things FROM shop.total) AS lost
        """),
    ]
  }
}
