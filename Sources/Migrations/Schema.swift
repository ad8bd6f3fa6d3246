public import LocalTime
public import Postgres

/// A schema in one database, the ledger's or the jobs' own: how far it has come, and the way to the
/// newest version.
public struct Schema: Sendable {
  public let name: String
  public let migrations: [Migration]
  public let rights: SchemaRights
  let patience: MigrationPatience

  /// The schema of these steps, of which each has such `patience` with tables that are busy.
  public init(
    _ migrations: [Migration], named name: String, rights: SchemaRights,
    patience: MigrationPatience = MigrationPatience()
  ) {
    self.name = name
    self.migrations = migrations
    self.rights = rights
    self.patience = patience
  }

  /// The newest version that this program knows.
  public var newest: Int { migrations.last?.version ?? 0 }

  /// What newer programs have done to this schema that this one may go on beside, oldest first.
  public func newer(on connection: borrowing Connection) throws -> [String] {
    let applied = try applied(on: connection)
    try check(applied)
    return applied.filter { $0.key > newest }.sorted { $0.key < $1.key }.map(\.value.name)
  }

  /// What a database has of one migration.
  public struct Step: Sendable, Equatable {
    public let migration: Migration
    public let appliedAt: Instant?
  }

  /// Each migration that this program knows, and when it was applied.
  public func status(on connection: borrowing Connection) throws -> [Step] {
    let applied = try applied(on: connection)
    try check(applied)
    return migrations.map { Step(migration: $0, appliedAt: applied[$0.version]?.at) }
  }

  /// The migrations that are still to be applied.
  public func pending(on connection: borrowing Connection) throws -> [Migration] {
    try status(on: connection).filter { $0.appliedAt == nil }.map(\.migration)
  }

  /// Applies what is missing, each migration in a transaction of its own; returns what it applied.
  ///
  /// Several hosts may do so at once: one at a time holds the lock, and the next finds the work done.
  @discardableResult
  public func migrate(
    by author: String, at now: Instant, on connection: borrowing Connection,
    telling tell: (MigrationNews) -> Void = { _ in }
  ) throws -> [Migration] {
    var done: [Migration] = []
    while let next = try patience.retrying(
      on: connection, telling: tell,
      { connection in
        try applyNext(by: author, at: now, on: connection, telling: tell)
      })
    {
      tell(.applied(next))
      done.append(next)
    }
    return done
  }

  private func applyNext(
    by author: String, at now: Instant, on connection: borrowing Connection,
    telling tell: (MigrationNews) -> Void
  ) throws -> Migration? {
    try holdingLock(on: connection, telling: tell) { connection in
      guard let next = try begin(on: connection).first else { return nil }
      tell(.applying(next))
      try apply(next, by: author, at: now, on: connection)
      return next
    }
  }

  /// Runs `work` in a transaction that no other host has at the same time.
  package func holdingLock<Value>(
    on connection: borrowing Connection, telling tell: (MigrationNews) -> Void = { _ in },
    _ work: (borrowing Connection) throws -> Value
  ) throws -> Value {
    try connection.transaction(lockLimit: patience.lockLimit) { connection in
      // A role may have a limit of its own, and what is large takes long.
      try connection.run("SET LOCAL statement_timeout = 0")
      try takeTurn(on: connection, telling: tell)
      return try work(connection)
    }
  }

  /// How long a step may take: no limit of statements is meant for it, as tables may be large.
  static let stepLimit = Duration.seconds(86_400)

  /// Makes the place where migrations are written down; gives those that are still to be applied.
  func begin(on connection: borrowing Connection) throws -> [Migration] {
    try connection.run(script: beginning(on: connection))
    try requireNoneNewer(on: connection)
    return try pending(on: connection)
  }

  /// Refuses to change what a newer program has made, even if this one can go on beside it: it would
  /// take away rights that only the newer one knows of.
  func requireNoneNewer(on connection: borrowing Connection) throws {
    let applied = try applied(on: connection)
    guard let found = applied.keys.max(), found > newest else { return }
    throw MigrationError.fromTheFuture(found: found, known: newest)
  }

  func apply(
    _ migration: Migration, by author: String, at now: Instant, on connection: borrowing Connection
  ) throws {
    try connection.run(script: migration.sql, within: Self.stepLimit)
    try connection.run(
      """
      INSERT INTO \(identifier: name).migration (version, name, checksum, applied_at, applied_by, works_with)
      VALUES (\(migration.version), \(migration.name), \(migration.checksum), \(now), \(author),
        \(migration.worksWith))
      """)
  }

  /// What makes the place where migrations are written down, in a schema that may be there.
  ///
  /// Even IF NOT EXISTS wants the right to make a schema, which the owner of this one may have lost since.
  func beginning(on connection: borrowing Connection) throws -> String {
    let isThere: Bool = try connection.run("SELECT to_regnamespace(\(name)) IS NOT NULL").only[0]
    return isThere ? listOfMigrations : beginning
  }

  /// What makes the place where migrations are written down, and the schema for it.
  ///
  /// Another host may make the same schema at once.
  package var beginning: String { "CREATE SCHEMA IF NOT EXISTS \(name);\n\(listOfMigrations)" }

  private var listOfMigrations: String {
    """
    CREATE TABLE IF NOT EXISTS \(name).migration (
      version     integer PRIMARY KEY,
      name        text NOT NULL,
      checksum    text NOT NULL,
      applied_at  timestamptz NOT NULL,
      applied_by  text NOT NULL,
      works_with  integer
    );
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_attribute
        WHERE attrelid = '\(name).migration'::regclass AND attname = 'works_with') THEN
        ALTER TABLE \(name).migration ADD COLUMN works_with integer;
      END IF;
    END $$;
    COMMENT ON COLUMN \(name).migration.works_with IS
      'The oldest program that may go on beside it, by the newest version that such a program knows.';
    """
  }
}

extension Schema {
  private struct Applied {
    let name: String
    let checksum: String
    let at: Instant
    let worksWith: Int
  }

  private func applied(
    on connection: borrowing Connection
  ) throws(PostgresError) -> [Int: Applied] {
    let known = try connection.run(
      "SELECT to_regclass(\(name + ".migration")) IS NOT NULL AS is_there"
    ).only["is_there", as: Bool.self]
    guard known else { return [:] }
    let rows = try connection.run(
      """
      SELECT version, name, checksum, applied_at,
        -- Read so, because the column is younger than the table.
        coalesce((to_jsonb(migration) ->> 'works_with')::bigint, version) AS works_with
      FROM \(identifier: name).migration
      """)
    var applied: [Int: Applied] = [:]
    for row in rows {
      applied[try row["version"]] = Applied(
        name: try row["name"], checksum: try row["checksum"], at: try row["applied_at"],
        worksWith: try row["works_with"])
    }
    return applied
  }

  private func check(_ applied: [Int: Applied]) throws(MigrationError) {
    for (version, found) in applied where version > newest && found.worksWith > newest {
      throw .fromTheFuture(found: applied.keys.max() ?? version, known: newest)
    }
    for migration in migrations {
      guard let found = applied[migration.version] else { continue }
      guard found.checksum == migration.checksum else {
        throw .changed(version: migration.version, name: migration.name)
      }
    }
  }
}
