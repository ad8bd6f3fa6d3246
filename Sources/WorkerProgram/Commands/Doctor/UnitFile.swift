internal import Config
internal import JobKit
internal import LocalTime

/// The unit of systemd that starts a daemon, with what was dropped in beside it.
struct UnitFile {
  /// Where it stands.
  let path: String
  private var service: [String: String] = [:]

  /// Finds the unit `name`, as systemd would; nothing when there is none.
  init?(_ name: String, in folders: [String]) {
    let paths = folders.map { "\($0)/\(name)" }
    guard let (path, text) = paths.lazy.compactMap(Self.text).first else { return nil }
    self.path = path
    read(text)
    for drop in folders.reversed().map({ "\($0)/\(name).d" }) {
      let names = (try? FolderNames.list(drop)) ?? []
      for name in names where name.hasSuffix(".conf") {
        if let (_, text) = Self.text("\(drop)/\(name)") { read(text) }
      }
    }
  }

  private static func text(_ path: String) -> (path: String, text: String)? {
    (try? FileText.read(path, atMost: 1 << 20)).map { (path, $0) }
  }

  private mutating func read(_ text: String) {
    var section = ""
    for line in text.split(separator: "\n") {
      let line = line.trimmed
      if line.hasPrefix("[") { section = String(line) }
      guard section == "[Service]", !line.hasPrefix("#"), !line.hasPrefix(";") else { continue }
      let pair = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2 else { continue }
      service[String(pair[0].trimmed)] = String(pair[1].trimmed)
    }
  }

  /// A setting of the section Service.
  subscript(name: String) -> String? { service[name] }
}

extension UnitFile {
  /// How long systemd waits for the end before it kills; nothing when it waits for ever.
  var stopTimeout: Duration? {
    let text = self["TimeoutStopSec"] ?? self["TimeoutSec"] ?? "90s"
    return text == "infinity" || text == "0" ? nil : Self.timeSpan(text) ?? .seconds(90)
  }

  /// How long the daemon says that its drain may take.
  var drain: Duration {
    let words = (self["ExecStart"] ?? "").split(separator: " ")
    let attached = words.first { $0.hasPrefix("--drain=") }?.dropFirst("--drain=".count)
    let behind = words.firstIndex(of: "--drain").flatMap { words[($0 + 1)...].first }
    return (attached ?? behind).flatMap { Duration(written: String($0)) } ?? .seconds(25)
  }

  /// Reads a time span as systemd writes it: `90`, `90s`, `1min 30s`.
  private static func timeSpan(_ text: String) -> Duration? {
    var sum = 0.0
    var rest = Substring(text)
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      guard let number = Double(digits) else { return nil }
      let unit = rest.dropFirst(digits.count).prefix { $0.isLetter }
      guard let factor = units[String(unit)] else { return nil }
      sum += number * factor
      rest = rest.dropFirst(digits.count + unit.count).drop { $0 == " " }
    }
    return .seconds(sum)
  }

  private static let units: [String: Double] = [
    "": 1, "s": 1, "sec": 1, "second": 1, "seconds": 1, "ms": 0.001, "m": 60, "min": 60,
    "minute": 60, "minutes": 60, "h": 3600, "hr": 3600, "hour": 3600, "hours": 3600,
  ]
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}
