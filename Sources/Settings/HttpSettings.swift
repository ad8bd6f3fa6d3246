internal import Config
internal import LocalTime

/// Where a daemon answers probes and Prometheus, and how much of that it stands: the table `[http]`.
public struct HttpSettings: Sendable, Equatable {
  /// Where it listens; nothing means nowhere.
  public var listen: HttpAddress?

  /// How many connections there may be at once; one more closes the one that has waited longest.
  public var connections = 64

  /// How long a request may take from its first byte, or its connection, to the end of the answer.
  public var timeout = Duration.seconds(5)

  /// How many bytes the line and the headers of a request may have.
  public var mostBytes = 8192

  public init() {}
}

extension HttpSettings {
  init(from table: inout TableReader) {
    listen = table.read("listen", as: .listen, else: listen)
    connections = table.read("connections", as: .count(2...1000, suchAs: 64), else: connections)
    timeout = table.read(
      "timeout", as: .duration(.seconds(1)...(.seconds(60)), suchAs: "5s"), else: timeout)
    mostBytes = table.read("most_bytes", as: .count(1024...65_536, suchAs: 8192), else: mostBytes)
  }

  var listing: [SettingLine] {
    [
      .init(name: "http.listen", value: listen?.description ?? ""),
      .init(name: "http.connections", value: "\(connections)"),
      .init(name: "http.timeout", value: timeout.written),
      .init(name: "http.most_bytes", value: "\(mostBytes)"),
    ]
  }
}

extension SettingKind<HttpAddress?> {
  /// An address of this machine alone, or `""` for none.
  static var listen: Self {
    let wanted =
      "an address that only this machine can reach, such as \"127.0.0.1:9464\", \"[::1]:9464\" or"
      + " \"unix:/run/worker/http.sock\", or \"\" for none"
    return SettingKind(wanted: wanted) { content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      if text.isEmpty { return nil }
      guard let address = HttpAddress(text) else { throw .value }
      return address
    }
  }
}
