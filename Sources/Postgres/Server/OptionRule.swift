internal import CPostgres
internal import Glibc

/// What an option of a connection may be, where libpq says so only when it connects, or never.
///
/// libpq takes most of them for an address that cannot be reached, which a daemon would try for ever.
enum OptionRule: Sendable {
  case word([String])
  case number(ClosedRange<Int>)
  case addresses
  case methods

  static let all: [(name: String, rule: OptionRule)] = [
    ("hostaddr", .addresses),
    ("connect_timeout", .number(whole)),
    ("keepalives", .number(whole)),
    ("keepalives_idle", .number(whole)),
    ("keepalives_interval", .number(whole)),
    ("keepalives_count", .number(whole)),
    ("tcp_user_timeout", .number(whole)),
    ("sslmode", .word(sslModes)),
    ("sslnegotiation", .word(["postgres", "direct"])),
    ("sslcertmode", .word(["disable", "allow", "require"])),
    ("ssl_min_protocol_version", .word(protocols)),
    ("ssl_max_protocol_version", .word(protocols)),
    ("channel_binding", .word(["disable", "prefer", "require"])),
    ("gssencmode", .word(["disable", "prefer", "require"])),
    ("require_auth", .methods),
    ("load_balance_hosts", .word(["disable", "random"])),
    ("min_protocol_version", .word(["3.0", "3.2", "latest"])),
    ("max_protocol_version", .word(["3.0", "3.2", "latest"])),
    ("replication", .word(["false", "off", "no", "0"])),
    (
      "target_session_attrs",
      .word(["any", "read-write", "read-only", "primary", "standby", "prefer-standby"])
    ),
  ]

  static let sslModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]
  static let protocols = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"]
  private static let whole = Int(Int32.min)...Int(Int32.max)
  private static let ways = ["password", "md5", "gss", "sspi", "scram-sha-256", "oauth", "none"]

  /// What is wanted in the place of `value`; nothing when it can be used.
  func objection(to value: String) -> String? {
    switch self {
    case .word(let words):
      words.contains(value) || words == Self.protocols && words.contains { $0.isLike(value) }
        ? nil : "write \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")"
    case .number(let range):
      Int(value.filter { !$0.isWhitespace }).map(range.contains) == true
        ? nil : "write a whole number"
    case .addresses:
      value.split(separator: ",").allSatisfy { Self.isAddress(String($0)) }
        ? nil : "write numeric addresses, or names in 'host'"
    case .methods:
      Self.areMethods(value)
        ? nil : "write some of \(Self.ways.joined(separator: ", ")), or all with !"
    }
  }

  private static func areMethods(_ value: String) -> Bool {
    let methods = value.split(separator: ",", omittingEmptySubsequences: false)
    let excluded = methods.count { $0.hasPrefix("!") }
    return [0, methods.count].contains(excluded) && Set(methods).count == methods.count
      && methods.allSatisfy { ways.contains(String($0.drop { $0 == "!" })) }
  }

  private static func isAddress(_ text: String) -> Bool {
    var hints = unsafe addrinfo()
    unsafe hints.ai_flags = AI_NUMERICHOST
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(text, nil, &hints, &list) == 0 else { return false }
    unsafe freeaddrinfo(list)
    return true
  }
}

extension ConnectionOptions {
  /// Everything that can never work, in words that quote no value: it may be a secret in a wrong place.
  var faults: [String] {
    let values = OptionRule.all.compactMap { option in
      self[option.name].flatMap { option.rule.objection(to: $0) }
        .map { "the connection option '\(option.name)' cannot be used: \($0)" }
    }
    return values + places + pairs
  }

  /// What cannot be where a server is.
  private var places: [String] {
    hosts.compactMap { host in
      guard let port = Int(host.port), (1...65_535).contains(port) else {
        return "the connection option 'port' cannot be used: write a number from 1 to 65535"
      }
      return host.isSocket && host.name.utf8.count + host.port.utf8.count > 107 - "/.s.PGSQL.".count
        ? "the connection option 'host' cannot be used: the path of its socket is longer than 107 bytes"
        : nil
    }
  }

  /// What cannot be together.
  private var pairs: [String] {
    var faults: [String] = []
    let bounds = ["ssl_min_protocol_version", "ssl_max_protocol_version"].map { name in
      OptionRule.protocols.firstIndex { $0.isLike(self[name] ?? "") }
    }
    if let least = bounds[0], let most = bounds[1], least > most {
      faults.append(
        "the connection option 'ssl_min_protocol_version' is above 'ssl_max_protocol_version'")
    }
    let mode = self["sslmode"] ?? "prefer"
    if self["sslrootcert"] == "system", PQlibVersion() >= 160_000, mode != "verify-full" {
      faults.append("the connection option 'sslrootcert=system' needs 'sslmode=verify-full'")
    }
    if self["sslnegotiation"] == "direct", ["disable", "allow", "prefer"].contains(mode) {
      faults.append("the connection option 'sslnegotiation=direct' needs 'sslmode=require' or more")
    }
    return faults
  }
}

extension String {
  /// Whether libpq takes both for one word where it takes large letters for small ones.
  fileprivate func isLike(_ other: String) -> Bool { lowercased() == other.lowercased() }
}
