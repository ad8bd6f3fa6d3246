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
