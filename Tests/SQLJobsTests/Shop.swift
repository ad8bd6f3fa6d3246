import JobKit
import Ledger
import Postgres
import Runner
import Settings
import TestKit
import TestSupport

/// A stage with a shop in it, whose carts are closed or deleted.
extension Stage {
  /// The moment at which the shop is looked at, and how many carts it has: of every ten, one is closed, and of the
  /// others half have been left alone for a month.
  static func shop(carts: Int, at moment: String = "2026-03-01T03:30:00Z") throws -> Stage {
    let stage = try Stage(at: moment)
    try stage.connection.run(
      script: """
        CREATE SCHEMA shop;
        CREATE TABLE shop.cart (
          cart_id bigint PRIMARY KEY, state text NOT NULL, touched_at timestamptz NOT NULL,
          closed_at timestamptz, zone text NOT NULL DEFAULT 'UTC', touches bigint NOT NULL DEFAULT 0);
        INSERT INTO shop.cart (cart_id, state, touched_at)
        SELECT n, CASE WHEN n % 10 = 0 THEN 'closed' ELSE 'open' END,
          CASE WHEN n % 2 = 0 THEN timestamptz '2026-01-15Z' ELSE '2026-02-20Z' END
        FROM generate_series(1, \(carts)) AS n;
        """)
    return stage
  }

  /// Enters a run of a job; returns its number.
  func enter(_ job: Described) throws -> Int {
    let definition = job.definition
    let request = Ledger.RunRequest(
      definition.name, for: try now, parts: definition.parts, policies: definition.policies,
      by: "test")
    return try Ledger.enter(request, at: now, on: connection)
  }

  /// Waits until a session waits for a lock.
  func awaitLock() throws {
    try eventually {
      try count(
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
        """) == 1
    }
  }

  /// Whatever a statement gives, row by row.
  func texts(_ statement: Statement) throws -> [String] {
    try connection.run(statement).map { try $0[0] }
  }
}

extension Described {
  /// A job that works at the carts of the shop, with these lines besides.
  static func carts(_ lines: String, kind: String = "delete") throws -> Described {
    try Described(text(lines, kind: kind))
  }

  static func text(_ lines: String, kind: String = "delete") -> String {
    """
    [jobs.old_carts]
    kind = "\(kind)"
    table = "shop.cart"
    key = "cart_id"
    every = "1d"
    most = 1000000
    \(lines)
    """
  }

  /// Works at a run of the job on a connection of its own; returns what became of its parts.
  static func work(
    at run: Int, with job: Described, of url: String, _ clock: LedgerClock
  ) throws -> String {
    try work(at: run, with: job, on: Server(url), clock)
  }

  static func work(
    at run: Int, with job: Described, on server: Server, _ clock: LedgerClock
  ) throws -> String {
    let pool = WorkerPool(
      name: DaemonID(host: "host", process: 1, version: "1", settingsHash: "1", word: 9),
      jobs: [WorkerPool.Member(job: job, policies: job.definition.policies)],
      zones: try Stage.zones.get())
    var worker = Worker(of: pool, clock: clock, on: try Connection(to: server))
    return try worker.work(onlyOn: run).map { "\($0.end)" }.joined(separator: ", ")
  }

  static let old = "where = \"state = 'open' AND touched_at < :moment - interval '30 days'\"\n"
}
