/// A database to connect to, and how long to wait for it.
///
/// Printing a server never shows a password.
public struct Server: Sendable {
  /// What the connection string says, with what libpq adds from the environment.
  let options: ConnectionOptions

  /// Where the password comes from.
  public var password = PasswordSource.libpq

  /// The name by which the server's own views show this program.
  public var applicationName = "worker"

  /// How long opening may take in all; each address gets an equal share of what is left.
  public var connectTimeout = Duration.seconds(10)

  /// How long a statement may take that is given no limit of its own, or nil for ever.
  ///
  /// A stream and a COPY have it for each wait, because they may be of any length.
  public var statementLimit: Duration? = .seconds(60)

  /// How long a statement of a transaction waits for a lock, unless the transaction says otherwise, or nil
  /// for as long as the statement may take.
  ///
  /// A transaction that waits keeps its own locks, and whoever needs those waits behind it.
  public var lockLimit: Duration?

  /// How long the server waits for the next statement of a transaction before it ends the session.
  ///
  /// Otherwise a program that is frozen would keep its locks, and nobody could work around it.
  public var idleLimit: Duration? = .seconds(60)

  /// How long the server may take to end what it was asked to end, before the connection is lost.
  public var grace = Duration.seconds(2)

  /// How long a connection may be silent before TCP asks whether the other side is there.
  public var keepaliveIdle = Duration.seconds(30)

  /// How long TCP waits between two such questions.
  public var keepaliveInterval = Duration.seconds(10)

  /// How many such questions may stay without an answer before the connection counts as cut.
  public var keepaliveCount = 3

  /// How long what was sent may stay unacknowledged before TCP gives up.
  public var tcpUserTimeout = Duration.seconds(30)

  /// Whether a name that a statement writes without a schema is one of PostgreSQL's own, or of a temporary table:
  /// nothing that another role leaves in a schema of the role's `search_path` is found then.
  ///
  /// It is set in each transaction, and before statements alone; for longer only in a session that no pooler lends to
  /// others. Tables must be written with their schema.
  public var fixesNames = false

  /// Reads a libpq connection string: `postgresql://…`, or `host=… dbname=…`; several hosts may be named.
  public init(_ connectionString: String) throws(PostgresError) {
    options = try ConnectionOptions(connectionString)
  }

  /// Refuses a file that the connection string or the environment names for libpq and that is not there, or could hold
  /// libpq for ever; no server is asked.
  public func requireFiles() throws(PostgresError) {
    try ConnectionFiles.check(options, mustExist: true)
  }

  /// Whether the connection string holds a password, which everybody can read who can read that.
  public var holdsPassword: Bool { options.holdsSecret }
}

extension Server: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The addresses and the database, as in `Postgres at db1:5432, db2:5432 (database 'worker')`.
  public var description: String {
    let addresses = options.hosts.map(\.description).joined(separator: ", ")
    return "Postgres at \(addresses) (database '\(options.database)')"
  }

  public var debugDescription: String { description }

  public var customMirror: Mirror {
    Mirror(self, children: ["server": description])
  }
}
