internal import JobKit
public import Postgres

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
