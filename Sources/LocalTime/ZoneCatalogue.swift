/// The names that a folder of zone files offers, and the version of its data.
struct ZoneCatalogue: Sendable, Equatable {
  /// The release of the tz database, such as 2026f, or "unknown".
  let version: String
  /// Every name that may be asked for.
  let names: Set<String>
  /// For names that are links, the name they stand for: packages may leave the link's file out.
  let links: [String: String]

  init(of folder: Folder) throws(ZoneError) {
    guard folder.exists else { throw .missingRoot(folder.path) }
    if let bytes = try? folder.bytes(of: "tzdata.zi") {
      self.init(source: bytes)
    } else {
      self.init(walking: folder)
    }
    guard !names.isEmpty else { throw .emptyRoot(folder.path) }
  }

  /// The same ``version``, without reading more than it takes.
  static func version(of folder: Folder) throws(ZoneError) -> String {
    let beginning = (try? folder.beginning(of: "tzdata.zi")) ?? []
    guard let line = beginning.split(separator: UInt8(ascii: "\n")).first,
      let version = version(inLine: words(of: line))
    else { return try ZoneCatalogue(of: folder).version }
    return version
  }

  private static func version(inLine words: [String]) -> String? {
    words.count >= 3 && words[0] == "#" && words[1] == "version" ? words[2] : nil
  }

  private static func words(of line: ArraySlice<UInt8>) -> [String] {
    line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads tzdata.zi: its first line names the version, `Z` lines zones and `L` lines links.
  ///
  /// It reads bytes, and only those lines: most are rules, and every start of the program waits here.
  private init(source: [UInt8]) {
    var names = Set<String>()
    var links = [String: String]()
    var version = "unknown"
    for line in source.split(separator: UInt8(ascii: "\n")) {
      guard let first = line.first, "#ZL".utf8.contains(first) else { continue }
      let words = Self.words(of: line)
      switch (words.first, words.count) {
      case ("#", _): version = Self.version(inLine: words) ?? version
      case ("Z", 2...): names.insert(words[1])
      case ("L", 3...): links[words[2]] = words[1]
      default: break
      }
    }
    self.version = version
    self.names = names.union(links.keys)
    self.links = links
  }

  /// Looks for zone files, where nothing lists them.
  private init(walking folder: Folder) {
    let text = (try? folder.bytes(of: "+VERSION")).map { String(decoding: $0, as: UTF8.self) }
    version = text?.split(separator: "\n").first.map(String.init) ?? "unknown"
    names = Set(Self.zoneFiles(in: folder, under: "", depth: 3))
    links = [:]
  }

  private static func zoneFiles(in folder: Folder, under parent: String, depth: Int) -> [String] {
    // Both hold the same zones again: one as they are, the other with leap seconds.
    let entries = folder.entries(of: parent).filter { !["right", "posix"].contains($0) }
    return entries.flatMap { entry -> [String] in
      let name = parent.isEmpty ? entry : "\(parent)/\(entry)"
      if Folder(path: "\(folder.path)/\(name)").exists {
        return depth > 1 ? zoneFiles(in: folder, under: name, depth: depth - 1) : []
      }
      let bytes = (try? folder.bytes(of: name)) ?? []
      return bytes.starts(with: Array("TZif".utf8)) ? [name] : []
    }
  }
}

extension ZoneCatalogue {
  /// The name under which this data has the zone, or nothing when it has not.
  func listedName(for name: String) -> String? {
    guard !names.contains(name) else { return name }
    return ZoneAliases.names(alike: name).first(where: names.contains)
  }

  /// What someone who wrote `name` may have meant: a slip of the keys, or a city alone.
  func suggestion(for name: String) -> String? {
    // An abbreviation would be taken for what it is elsewhere: nobody is led to one.
    let sorted = names.filter { !Zone.isAbbreviation($0) }.sorted()
    let city = name.split(separator: "/").last.map { $0.replacing(" ", with: "_").lowercased() }
    let sameCity = sorted.first { $0.contains("/") && $0.lowercased().hasSuffix("/\(city ?? "")") }
    return closest(to: name, in: sorted) ?? sameCity
  }
}
