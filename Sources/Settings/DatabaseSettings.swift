package import Config
internal import JobKit
public import Migrations
public import Postgres

/// How the worker reaches its database: the table `[database]`.
public struct DatabaseSettings: Sendable, Equatable {
  /// A libpq URL or words as libpq reads them; there is never a password in it, so it may be shown.
  public var url = "postgresql:///worker"
  /// The file whose first line is the password; nothing leaves the question to libpq.
  public var passwordFile: String?
  /// Whom `worker migrate up` grants what it needs, to work or to look.
  public var roles = LedgerRoles()
  public var connectTimeout = Duration.seconds(5)
  public var statementTimeout = Duration.seconds(30)
  public var lockTimeout = Duration.seconds(5)
  /// How long sent data may stay unacknowledged before the connection counts as cut.
  public var tcpUserTimeout = Duration.seconds(10)
  /// TCP keepalive: how long a connection is idle before it asks whether the other side is there.
  public var keepaliveIdle = Duration.seconds(30)
  public var keepaliveInterval = Duration.seconds(10)
  public var keepaliveCount = 3

  /// The file in `$CREDENTIALS_DIRECTORY` that holds the password when no file is configured.
  public static let credential = "database_password"

  public init() {}
}

extension DatabaseSettings: SettingsTable {
  package static var fields: [SettingField<Self>] {
    [
      .init("url", \.url, as: .connection),
      .init("password_file", \.passwordFile, as: .path(suchAs: "/etc/worker/password")),
      .init("worker_role", \.roles.worker, as: .role),
      .init("reader_role", \.roles.reader, as: .role),
      .init("request_role", \.roles.requester, as: .role),
      .init("connect_timeout", \.connectTimeout, as: .seconds(2...600, suchAs: "5s")),
      .init("statement_timeout", \.statementTimeout, as: .seconds(1...86_400, suchAs: "30s")),
      .init("lock_timeout", \.lockTimeout, as: .seconds(1...3_600, suchAs: "5s")),
      .init("tcp_user_timeout", \.tcpUserTimeout, as: .seconds(1...600, suchAs: "10s")),
      .init("keepalive_idle", \.keepaliveIdle, as: .seconds(1...3_600, suchAs: "30s")),
      .init("keepalive_interval", \.keepaliveInterval, as: .seconds(1...600, suchAs: "10s")),
      .init("keepalive_count", \.keepaliveCount, as: .count(1...10, suchAs: 3)),
    ]
  }

  package func check(_ reader: inout TableReader) {
    reader.forbid(
      "password",
      because: "may not stand here: put it in a file and name that in 'database.password_file'")
  }
}

extension DatabaseSettings {
  /// The same way to the same server, but to another of its databases.
  public func naming(database name: String) -> DatabaseSettings {
    var other = self
    other.url = ConnectionText(url).naming(database: name)
    return other
  }

  /// Why a text cannot stand where a database's address is wanted, or nothing.
  public static func objection(to url: String) -> String? {
    switch ConnectionText(url).fault {
    case nil: ConnectionText(url).objection.map { "it \($0)" }
    case .holdsPassword:
      "it holds a password, which everybody on this host can read: put that in a file and name it in"
        + " 'database.password_file'"
    case .unreadable:
      "write a URL such as postgresql:///empty, or words such as 'host=db dbname=empty'"
    }
  }
}

extension ConnectionText {
  /// The same address, but of another database; its name has letters, digits and `_` only.
  package func naming(database name: String) -> String {
    // Of two words that say one thing the last is heard.
    guard let start = text.firstRange(of: "://")?.upperBound else {
      return "\(text) dbname=\(name)"
    }
    let address = text[start...].prefix { $0 != "/" && $0 != "?" }
    let query = text[start...].drop { $0 != "?" }.dropFirst().split(separator: "&")
      .filter { !$0.hasPrefix("dbname=") }
    return text[..<start] + address + "/\(name)"
      + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }
}

extension DatabaseSettings {
  /// The server that these settings name.
  ///
  /// `credentials` is the folder in which systemd leaves secrets, `$CREDENTIALS_DIRECTORY`; without it
  /// and without a password file, libpq finds the password where it always does.
  public func server(credentials: String?) throws(PostgresError) -> Server {
    var server = try Server(url)
    if let passwordFile {
      server.password = .file(passwordFile)
    } else if let credentials {
      server.password = .credential(Self.credential, directory: credentials)
    }
    server.fixesNames = true
    #if DEBUG
      server.fixesNames = !RehearsalPace.isKept
    #endif
    server.connectTimeout = connectTimeout
    server.statementLimit = statementTimeout
    server.lockLimit = lockTimeout
    server.tcpUserTimeout = tcpUserTimeout
    server.keepaliveIdle = keepaliveIdle
    server.keepaliveInterval = keepaliveInterval
    server.keepaliveCount = keepaliveCount
    return server
  }
}
