internal import CPostgres

/// What a connection string says, option by option.
struct ConnectionOptions: Sendable {
  private var values: [String: String]

  /// The values of options that libpq calls secret, such as the password.
  let secrets: [String]

  /// The paths of what libpq reads, by their options, the environment's among them.
  let files: [String: String]

  /// Whether such a value stands in the connection string itself.
  let holdsSecret: Bool

  /// Reads `text`, and fills in where the server is from the environment, as libpq does.
  init(_ text: String) throws(PostgresError) {
    guard !text.utf8.contains(0) else {
      throw .unusable("the connection string holds the character U+0000")
    }
    try Libpq.load()
    let given = try Self.parse(text)
    try ConnectionFiles.checkServices()
    let defaults = Self.defaults()
    let places = ["host", "hostaddr", "port", "dbname", "user", "target_session_attrs"]
    values = given.values.merging(
      defaults.values.filter { places.contains($0.key) }
    ) { given, _ in given }
    secrets = given.secrets + defaults.secrets
    holdsSecret = !given.secrets.isEmpty
    try Self.requireEvenLists(in: values)
    // What the environment adds counts as well, and is told by the name of its option.
    let everything = values.merging(defaults.values) { given, _ in given }
    let names = ["passfile", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir"]
    files = everything.filter { names.contains($0.key) }
    let all = ConnectionOptions(everything)
    let own = ConnectionOptions(given.values).faults
    let faults = all.faults.map { fault in
      own.contains(fault) ? fault : "\(fault) (a variable 'PG…' of the environment gives it)"
    }
    guard faults.isEmpty else { throw .unusable(faults.joined(separator: "; ")) }
  }

  private init(_ values: [String: String]) {
    (self.values, secrets, holdsSecret, files) = (values, [], false, [:])
  }

  subscript(name: String) -> String? {
    values[name]
  }

  /// The database, which is called like the user when nothing is said.
  var database: String {
    values["dbname"] ?? values["user"] ?? ""
  }

  /// The hosts in the order in which they are written.
  var hosts: [Host] {
    let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
    return (0..<max(names.count, addresses.count, 1)).map { index in
      let port = ports.count > 1 ? ports[index] : ports.first ?? ""
      return Host(
        name: names.isEmpty ? "" : names[index], address: addresses.isEmpty ? "" : addresses[index],
        port: port.isEmpty ? "5432" : port)
    }
  }

  private func list(_ name: String) -> [String] {
    Self.list(name, in: values)
  }

  private static func list(_ name: String, in values: [String: String]) -> [String] {
    guard let text = values[name], !text.isEmpty else { return [] }
    return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  /// Refuses lists that do not match, and a service file, which could name more hosts than are seen here.
  private static func requireEvenLists(in values: [String: String]) throws(PostgresError) {
    let counts = ["host", "hostaddr", "port"].map { list($0, in: values).count }
    let hosts = max(counts[0], counts[1], 1)
    guard [0, hosts].contains(counts[0]), [0, hosts].contains(counts[1]) else {
      throw .unusable("the connection string has \(counts[0]) hosts and \(counts[1]) addresses")
    }
    guard [0, 1, hosts].contains(counts[2]) else {
      throw .unusable(
        "the connection string has \(hosts) hosts and \(counts[2]) ports: write one port, or as many"
      )
    }
    guard values["service"] == nil else {
      throw .unusable("the connection string names a service: write its host and database instead")
    }
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
      throw .unusable("cannot read the connection string: \(Self.shown(reason.firstSentence))")
    }
    defer { unsafe PQconninfoFree(options) }
    return unsafe read(options)
  }

  /// What libpq says, without what may be a part of a password; the name of an option is none.
  private static func shown(_ reason: String) -> String {
    let quoted = reason.split(separator: "\"", omittingEmptySubsequences: false)
    let isName = ["invalid connection option ", "invalid URI query parameter: "].contains(quoted[0])
    guard isName, quoted.count == 3, quoted[1].utf8.count <= 32,
      quoted[1].utf8.allSatisfy({ (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "_") })
    else { return reason.withoutQuotes }
    return "libpq \(Libpq.version ?? "") knows no option '\(quoted[1])'"
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
