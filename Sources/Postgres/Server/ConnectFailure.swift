/// Why one attempt to connect failed.
enum ConnectFailure: Error, Equatable {
  /// Another address, or another time, may do better.
  case unreachable(String, sqlState: String? = nil)

  /// The server does not let this program in, and other addresses are not tried.
  case refused(String, sqlState: String?)

  /// libpq does not take what it was told to connect with, and never will.
  case unusable(String)
}

extension ConnectFailure {
  /// Reads what libpq says in verbose mode, such as
  /// `connection to server at "db", port 5432 failed: FATAL:  28P01: password … failed`.
  init(libpq text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    let line = lines.first { $0.contains(Self.mark) } ?? lines.first ?? "no reason given"
    let reason = line.firstRange(of: Self.mark).map { String(line[$0.upperBound...]) } ?? line
    guard let (sqlState, message) = Self.serverError(in: reason) else {
      guard !Self.concernsOptions(reason) else {
        self = .unusable(reason.withoutQuotes)
        return
      }
      self = Self.concernsTrust(reason) ? .refused(reason, sqlState: nil) : .unreachable(reason)
      return
    }
    // What passes with time: broken connections, a lack of resources, starting and stopping.
    let passes = ["08", "53", "57"].contains(sqlState.prefix(2))
    self =
      passes
      ? .unreachable(message, sqlState: sqlState) : .refused(message, sqlState: sqlState)
  }

  private static let mark = " failed: "

  /// The SQLSTATE and the message behind the severity, which may be in any language.
  private static func serverError(in reason: String) -> (sqlState: String, message: String)? {
    guard let severity = reason.firstRange(of: ":  ") else { return nil }
    let rest = reason[severity.upperBound...]
    let sqlState = rest.prefix(5)
    guard rest.dropFirst(5).hasPrefix(": "),
      sqlState.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) })
    else { return nil }
    return (String(sqlState), String(rest.dropFirst(7)))
  }

  /// Whether libpq refuses an option before it asks any server.
  private static func concernsOptions(_ reason: String) -> Bool {
    reason.hasPrefix("invalid ") && reason.contains(" value")
  }

  /// Whether libpq itself breaks off, for TLS or for what proves who is who.
  private static func concernsTrust(_ reason: String) -> Bool {
    !breaks.contains { reason.contains($0) }
      && ["SSL", "certificate", "password", "SCRAM", "authentication", "GSS", "channel binding"]
        .contains { reason.contains($0) }
  }

  /// A connection that breaks while TLS is set up says nothing about trust.
  private static let breaks = [
    "SSL SYSCALL error", "SSL connection has been closed unexpectedly",
    "unexpected eof while reading",
  ]
}
