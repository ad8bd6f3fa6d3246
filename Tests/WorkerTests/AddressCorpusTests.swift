import Config
import Postgres
import TestSupport
import Testing

@testable import JobKit
@testable import Settings
@testable import WorkerProgram

/// Addresses as hands and generators write them, the same ones each time.
@Suite("A corpus of addresses")
struct AddressCorpusTests {
  private static let mark = "m4rk3r"

  /// Every option that libpq has here, some that it does not have, and the options of the addresses of this test.
  private static let names = [
    "host", "hostaddr", "port", "dbname", "user", "passfile", "connect_timeout", "client_encoding",
    "options", "application_name", "keepalives", "keepalives_idle", "keepalives_interval",
    "keepalives_count", "tcp_user_timeout", "replication", "gssencmode", "sslmode",
    "sslcompression",
    "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir", "sslsni", "requirepeer",
    "ssl_min_protocol_version", "ssl_max_protocol_version", "krbsrvname", "gsslib", "service",
    "target_session_attrs", "channel_binding", "load_balance_hosts", "require_auth", "nosuch",
    "pasword", "Host", "ssl mode", "", "password", "sslpassword", "pass%77ord",
  ]

  private static let values = [
    "", "a", "localhost", "/nowhere", "::1", "127.0.0.1", "5432", "0", "-1", "65536", "1e9",
    "99999999999999999999", "require", "disable", "any", "random", "TLSv1.2", "TLSv9", "all", "'",
    "\\", "%", "%zz", "é", "\u{202E}", "\u{1B}[2J", "\0", "a,b,c", ",,", "@", "://", "=", " ", mark,
    String(repeating: "x", count: 300),
  ]

  /// An address of a few of them, as words or as a URL.
  private static func address(_ numbers: inout SplitMix) -> String {
    let pairs = (0...numbers.below(3)).map { _ in
      "\(names[numbers.below(names.count)])=\(values[numbers.below(values.count)])"
    }
    switch numbers.below(4) {
    case 0: return pairs.joined(separator: " ")
    case 1: return pairs.map { $0.replacing("=", with: "='") + "'" }.joined(separator: " ")
    case 2: return "postgresql://u:\(mark)@h/db?" + pairs.joined(separator: "&")
    default:
      return "postgresql://\(values[numbers.below(values.count)])/db?"
        + pairs.joined(separator: "&")
    }
  }

  @Test func `is read or refused in a line, with no secret in it, and what is taken can be tried`()
  {
    var numbers = SplitMix(state: 20_261_127)
    var (taken, refused) = (0, 0)
    for _ in 0..<4_000 {
      let text = Self.address(&numbers)
      do throws(Misfit) {
        let url = try SettingKind.connection.read(.string(text))
        taken += 1
        #expect(throws: Never.self, "\(text.debugDescription)") { try Server(url) }
      } catch {
        refused += 1
        let line = error.fault(name: "database.url", found: .string(text), wanted: "").description
        let isVisible = line.withVisibleControls == line
        #expect(isVisible && !line.contains(Self.mark), "\(line) of \(text.debugDescription)")
      }
    }
    #expect(taken > 100 && refused > 1_000)
  }

  /// What must be refused as wrong settings, or cannot be reached; each is one call of the built program.
  @Test(arguments: [
    ("host=/nowhere", 69), ("host=127.0.0.1 port=1", 69), ("host=no-such-host.invalid", 69),
    ("host=/nowhere nosuch=1", 78), ("host=/nowhere pasword=m4rk3r", 78),
    ("host=/nowhere password=m4rk3r", 78), ("postgresql://u:m4rk3r@h/db", 78),
    ("postgresql://u:m4rk3r?a@h/db", 78), ("postgresql://u@h:m4rk3r/db", 78),
    ("host=/nowhere sslmode=m4rk3r", 78), ("host=/nowhere target_session_attrs=m4rk3r", 78),
    ("host=/nowhere channel_binding=m4rk3r", 78), ("host=/nowhere gssencmode=m4rk3r", 78),
    ("host=/nowhere keepalives=m4rk3r", 78), ("host=/nowhere connect_timeout=m4rk3r", 78),
    ("host=/nowhere ssl_min_protocol_version=TLSv9", 78), ("host=a,b port=1,2,3", 78),
    ("host=/nowhere load_balance_hosts=m4rk3r", 78), ("service=m4rk3r", 78), ("m4rk3r", 78),
    ("postgresql://[::1/db", 78), ("host=/nowhere 'm4rk3r", 78), ("mysql://u:m4rk3r@h", 78),
  ])
  func `ends each command with the code that the table of codes gives it`(
    address: String, code: Int32
  ) throws {
    let folder = try ScratchFolder()
    let file = try folder.write(
      "[database]\nurl = \"\(address)\"\nconnect_timeout = \"2s\"\n", to: "worker.toml",
      mode: 0o644)
    let variables = ["WORKER_CONFIG": file, "TZDIR": try TestEnvironment.zoneinfo]

    for words in [["check", "--connect"], ["daemon", "--check"], ["audit"]] {
      let program = try Program(words: words, variables: variables)

      #expect(program.exitCode == code, "\(words): \(program.errors)")
      #expect(!(program.output + program.errors).contains(Self.mark), "\(words): \(program.errors)")
    }
    let check = try Program(words: ["check"], variables: variables)
    #expect(check.exitCode == (code == 78 ? 78 : 0), "\(check.errors)")
  }

  @Test func `what the environment adds can be wrong as well`() throws {
    let folder = try ScratchFolder()
    let file = try folder.write("workers = 2\n", to: "worker.toml", mode: 0o644)

    let check = try Program(
      words: ["check"],
      variables: [
        "WORKER_CONFIG": file, "TZDIR": TestEnvironment.zoneinfo, "PGSSLMODE": Self.mark,
      ])

    #expect(
      check.errors.contains("the connection option 'sslmode' cannot be used: write disable"),
      "\(check.errors)")
    #expect(check.errors.contains("(a variable 'PG…' of the environment gives it)"))
    #expect(!check.errors.contains(Self.mark))
    #expect(check.exitCode == 78)
  }
}

extension SplitMix {
  fileprivate mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
