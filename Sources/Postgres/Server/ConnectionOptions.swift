internal import CPostgres

/// What a connection string says, option by option.
struct ConnectionOptions: Sendable {
  private var values: [String: String]

  /// The values of options that libpq calls secret, such as the password.
  let secrets: [String]

  /// Reads `text`, and fills in where the server is from the environment, as libpq does.
  init(_ text: String) throws(PostgresError) {
    guard !text.utf8.contains(0) else {
      throw .unusable("the connection string holds the character U+0000")
    }
    let given = try Self.parse(text)
    let defaults = Self.defaults()
    let places = ["host", "hostaddr", "port", "dbname", "user", "target_session_attrs"]
    values = given.values.merging(
      defaults.values.filter { places.contains($0.key) }
    ) { given, _ in given }
    // A host that is given makes an address from the environment meaningless, and the reverse.
    if given.values["host"] != nil || given.values["hostaddr"] != nil {
      values["host"] = given.values["host"]
      values["hostaddr"] = given.values["hostaddr"]
    }
    secrets = given.secrets + defaults.secrets
  }

  subscript(name: String) -> String? {
    values[name]
  }

  /// The database, which is called like the user when nothing is said.
  var database: String {
    values["dbname"] ?? values["user"] ?? ""
  }

  /// The hosts in the order in which they are written.
  ///
  /// One host stands for all when only libpq can tell them apart: when their numbers differ, which
  /// libpq refuses, or when a service file names them.
  var hosts: [Host] {
    let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
    let count = max(names.count, addresses.count, 1)
    let isEven =
      [names.count, addresses.count, ports.count].allSatisfy { [0, 1, count].contains($0) }
      && [0, count].contains(names.count) && [0, count].contains(addresses.count)
    guard isEven, values["service"] == nil else {
      return [
        Host(name: self["host"] ?? "", address: self["hostaddr"] ?? "", port: self["port"] ?? "")
      ]
    }
    return (0..<count).map { index in
      let port = ports.count > 1 ? ports[index] : ports.first ?? ""
      return Host(
        name: names.isEmpty ? "" : names[index], address: addresses.isEmpty ? "" : addresses[index],
        port: port.isEmpty ? "5432" : port)
    }
  }

  private func list(_ name: String) -> [String] {
    guard let text = values[name], !text.isEmpty else { return [] }
    return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// The options for one attempt: all that was given, but with `replacements`.
  func replacing(_ replacements: [String: String]) -> [String: String] {
    values.merging(replacements) { _, replacement in replacement }
  }
}

extension ConnectionOptions: CustomStringConvertible, CustomReflectable {
  var description: String { "connection options for '\(database)'" }

  var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ConnectionOptions {
  private typealias Parsed = (values: [String: String], secrets: [String])

  private static func parse(_ text: String) throws(PostgresError) -> Parsed {
    var message: UnsafeMutablePointer<CChar>?
    let options = unsafe PQconninfoParse(text, &message)
    defer { unsafe PQfreemem(message) }
    guard let options = unsafe options else {
      let reason = unsafe message.map { unsafe String(cString: $0) } ?? "out of memory"
      throw .unusable("cannot read the connection string: \(reason.firstSentence.withoutQuotes)")
    }
    defer { unsafe PQconninfoFree(options) }
    return unsafe read(options)
  }

  private static func defaults() -> Parsed {
    guard let options = unsafe PQconndefaults() else { return ([:], []) }
    defer { unsafe PQconninfoFree(options) }
    return unsafe read(options)
  }

  @unsafe private static func read(_ first: UnsafeMutablePointer<PQconninfoOption>) -> Parsed {
    var parsed = Parsed([:], [])
    var option = unsafe first
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val.map({ unsafe String(cString: $0) }), !value.isEmpty {
        unsafe parsed.values[String(cString: keyword)] = value
        let isSecret = unsafe String(cString: option.pointee.dispchar) == "*"
        if isSecret { parsed.secrets.append(value) }
      }
      unsafe option += 1
    }
    return parsed
  }
}

extension String {
  /// The text without what it quotes, which may be a part of a password.
  var withoutQuotes: String {
    guard let first = firstIndex(of: "\""), let last = lastIndex(of: "\""), first < last else {
      return self
    }
    return String(self[..<first]) + "\"…\"" + String(self[index(after: last)...])
  }
}
