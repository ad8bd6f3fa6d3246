import Config
import JobKit
import LocalTime
import Settings

/// Reads `count` mutated settings and stops the program at the first that breaks a promise.
func fuzzSettings(seed: UInt64, count: Int, zoneinfo: String = "/usr/share/zoneinfo") {
  do {
    var fuzz = SettingsFuzz(seed: seed, zones: try ZoneDatabase(root: zoneinfo))
    let tally = fuzz.run(count: count)
    print("settings: \(count) read, \(tally.accepted) accepted, \(tally.refused) refused")
    precondition(tally.broken.isEmpty, tally.broken.joined(separator: "\n"))
  } catch {
    print("settings: not run: \(error)")
  }
}

/// Mutates settings and holds what the reader says about them against what it promises: no crash,
/// and problems that are each one short, visible line at a place inside the text, in its order.
struct SettingsFuzz {
  private var random: Random
  private let zones: ZoneDatabase
  private let catalogue = Catalogue([
    JobDefinition(name: "settle_rewards", purpose: "settles", schedule: .every(.seconds(60))),
    JobDefinition(name: "deliver_pushes", purpose: "delivers", schedule: .cron("* * * * *")),
  ])

  /// What came of a run.
  struct Tally: Sendable {
    var accepted = 0
    var refused = 0
    /// A sentence and the text for each broken promise.
    var broken: [String] = []
  }

  init(seed: UInt64, zones: ZoneDatabase) {
    random = Random(state: seed)
    self.zones = zones
  }

  mutating func run(count: Int) -> Tally {
    var tally = Tally()
    for _ in 0..<count { read(mutation(), into: &tally) }
    return tally
  }

  private func read(_ text: String, into tally: inout Tally) {
    do throws(SettingsError) {
      let loaded = try Settings.load(text, file: "f", catalogue: catalogue) {
        _ throws(ZoneError) in zones
      }
      tally.accepted += 1
      if !(1...64).contains(loaded.settings.workers) || loaded.settings.jobs.count != 2 {
        tally.broken.append("accepted what is not allowed: \(text.debugDescription)")
      }
    } catch {
      tally.refused += 1
      if let fault = fault(in: error.problems, of: text) {
        tally.broken.append("\(fault): \(error) of \(text.debugDescription)")
      }
    }
  }

  private func fault(in problems: [Problem], of text: String) -> String? {
    let lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    let places = problems.compactMap(\.position)
    if problems.isEmpty { return "refused without a reason" }
    if places != places.sorted() { return "out of order" }
    if places.contains(where: { !(1...lines).contains($0.line) || $0.column < 1 }) {
      return "outside the text"
    }
    let said = problems.map(\.description)
    if said.contains(where: { $0.utf8.count > 2_000 }) { return "too long to read" }
    let isVisible = said.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
    return isVisible ? nil : "not one visible line"
  }
}

extension SettingsFuzz {
  private mutating func mutation() -> String {
    var bytes = Array(Self.samples[random.below(Self.samples.count)].utf8)
    for _ in 0...random.below(4) { mutate(&bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let start = random.below(bytes.count + 1)
    let end = min(bytes.count, start + random.below(12))
    let piece = Array(bytes[start..<end])
    switch random.below(6) {
    case 0: bytes.removeSubrange(start..<end)
    case 1: bytes.insert(contentsOf: piece, at: random.below(bytes.count + 1))
    case 2: bytes.insert(UInt8(truncatingIfNeeded: random.below(256)), at: start)
    case 3: bytes.replaceSubrange(start..<end, with: piece.map { $0 ^ (1 << random.below(8)) })
    case 4: bytes.replaceSubrange(start..<end, with: token)
    default: bytes.insert(contentsOf: token, at: start)
    }
  }

  private var token: [UInt8] {
    mutating get { Array(Self.tokens[random.below(Self.tokens.count)].utf8) }
  }

  private static let tokens = [
    "\n", "=", ".", "[", "]", "[[", "]]", "{", "}", ",", "#", "\"", "'", "\"\"\"", "'''", "\\",
    "\\u0000", "\r\n", "\t", "true", "inf", "nan", "1e9", "0x", "1979-05-27T07:32:00Z", "07:32",
    "9223372036854775808", "-1", "password=", "://", "@", "*/0", "@every 5m", "L", "Mars/Base",
    "\u{1B}[2J", "\u{202E}", "é", "jobs.", "settleRewards", "a.b.c", " ",
  ]

  private static let samples = [
    "workers = 4\n[log]\nformat = \"json\"\nlevel = \"info\"\n",
    "[time]\nzone = \"Europe/Zurich\"\nzoneinfo = \"\"\n",
    "[database]\nurl = \"postgresql://worker@db:5432/worker?sslmode=verify-full\"\n"
      + "connect_timeout = \"5s\"\nkeepalive_count = 3\npassword_file = '/etc/worker/password'\n",
    "[jobs.settle_rewards]\nevery = \"1h30m\"\nenabled = true\n",
    "[jobs.deliver-pushes]\nschedule = \"*/5 8-18 * * MON-FRI\"\nzone = \"UTC\"\ndst = \"once\"\n",
    "[jobs.settle_rewards]\nmissed = \"all\"\nsoft_limit = \"1m\"\nhard_limit = \"\"\ntries = 3\n"
      + "first_wait = \"1s\"\nfewest = 1\nmost = 0\ntimes_usual = 2.5\nparts = 8\npercent = 5\n",
    "[calendars.holidays]\ndays = [\"2026-12-25\", \"01-01\", \"2026-12-24..2027-01-02\", 2026-01-06]\n"
      + "[jobs.settle_rewards]\nexcept = [\"holidays\"]\n",
    "jobs = {settleRewards = {enabled = false, every = \"\"\"1m\"\"\"}}\nlog.level = 'debug'\n",
  ]

  /// A generator that gives the same numbers for the same seed on every machine (splitmix64).
  private struct Random {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((mixed ^ (mixed >> 31)) % UInt64(max(bound, 1)))
    }
  }
}
