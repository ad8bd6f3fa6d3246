package import Config
public import Web

/// Where a daemon answers probes and Prometheus, and how much of that it stands: the table `[http]`.
public struct HttpSettings: Sendable, Equatable {
  /// Where it listens; nothing means nowhere.
  public var listen: HttpAddress?

  /// Who may ask over a port, beside this machine itself; everybody that can reach it when empty.
  public var allow: [Network] = []

  /// How many connections there may be at once; one more closes the one that has waited longest.
  public var connections = 64

  /// How long a request may take from its first byte, or its connection, to the end of the answer.
  public var timeout = Duration.seconds(5)

  /// How many bytes the line and the headers of a request may have.
  public var mostBytes = 8192

  public init() {}
}

extension HttpSettings {
  /// Whether somebody who calls from there is answered.
  ///
  /// The daemon's own probes come from a loopback address, which no other machine can call from.
  public func allows(_ caller: NetworkAddress) -> Bool {
    let caller = caller.mapped ?? caller
    return allow.isEmpty || caller == .loopback4 || caller == .loopback6
      || allow.contains { $0.contains(caller) }
  }
}

extension HttpSettings: SettingsTable {
  package static var fields: [SettingField<Self>] {
    [
      .init("listen", \.listen, as: .listen),
      .init("allow", \.allow, written: { $0.map(\.description).joined(separator: ", ") }) {
        $0.readNetworks($1)
      },
      .init("connections", \.connections, as: .count(2...1000, suchAs: 64)),
      .init("timeout", \.timeout, as: .seconds(1...60, suchAs: "5s")),
      .init("most_bytes", \.mostBytes, as: .count(1024...65_536, suchAs: 8192)),
    ]
  }

  package func check(_ reader: inout TableReader) {
    // Networks of which one is none may have been meant to be all that there are.
    guard let listen, listen.isForOthers, reader["allow"] ?? .array([]) == .array([]),
      let position = reader.position(of: "listen")
    else { return }
    let reason =
      "is '\(listen)', which other machines can reach: write beside it who may ask, such as"
      + " allow = [\"10.0.0.0/8\"], or listen at \"127.0.0.1:9464\""
    reader.note(.forbidden(name: reader.name(of: "listen"), reason: reason), at: position)
  }
}

extension TableReader {
  /// The networks of a list; nothing when one of them is none, which is said.
  fileprivate mutating func readNetworks(_ key: String) -> [Network]? {
    let wanted = "networks in quotes, such as \"10.0.0.0/8\" or \"fd00::/8\""
    let values = take(key, as: .list("a list of \(wanted), or [] for none"))?.value
    let networks = values?.compactMap { value in readNetwork(value, of: key, wanted: wanted) }
    return networks?.count == values?.count ? networks : nil
  }

  private mutating func readNetwork(
    _ value: TomlValue, of key: String, wanted: String
  ) -> Network? {
    guard case .string(let text) = value.content else {
      refuse(value, of: key, wanted: wanted)
      return nil
    }
    let network = Network(text)
    if let network, network.mapped == nil { return network }
    // An address without a length, bits beyond it, and IPv4 that is written as IPv6: what was meant is plain.
    let near = Network.around(text) ?? Network.of(text)
    let meant = near.map { $0.mapped ?? $0 }
    note(
      .badElement(
        name: name(of: key), found: value.content.quoted,
        wanted: meant.map { "\"\($0)\"" } ?? wanted), at: value.position)
    return nil
  }
}

extension SettingKind<HttpAddress?> {
  /// A number of a machine with a port, a unix socket, or `""` for none.
  static var listen: Self {
    let wanted =
      "an address such as \"127.0.0.1:9464\", \"[::1]:9464\" or \"unix:/run/worker/http.sock\", or \"\" for"
      + " none"
    return SettingKind(wanted: wanted, write: { $0?.description ?? "" }) {
      content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      if text.isEmpty { return nil }
      guard let address = HttpAddress(text) else { throw .value }
      return address
    }
  }
}
