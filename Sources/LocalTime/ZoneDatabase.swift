import Synchronization

/// The zones of one folder of zone files, read when first asked for and kept.
///
/// Names come from phones and configuration, so they are looked up in the list of known names
/// before any path is made of them. One database may be shared by all threads.
public final class ZoneDatabase: Sendable {
  private struct Contents {
    var catalogue: ZoneCatalogue
    var zones = [String: Zone]()
    /// How often a reload has replaced all this.
    var generation = 0
  }

  /// The folder the zones come from.
  public let root: String
  private let contents: Mutex<Contents>

  /// Opens the folder that ``root(configured:environment:)`` chose.
  public init(root: String) throws(ZoneError) {
    self.root = root
    let catalogue = try ZoneCatalogue(of: Folder(path: root))
    contents = Mutex(Contents(catalogue: catalogue))
  }

  /// The folder to take zones from: the configured one, else `$TZDIR`, else the system's.
  public static func root(configured: String?, environment: [String: String]) -> String {
    [configured, environment["TZDIR"]].compactMap(\.self).first { !$0.isEmpty }
      ?? "/usr/share/zoneinfo"
  }

  /// The ``version`` of the folder, for who wants nothing else of it: the names of its zones are not read.
  public static func version(ofRoot root: String) throws(ZoneError) -> String {
    try ZoneCatalogue.version(of: Folder(path: root))
  }

  /// The release of the tz database, such as 2026f, or "unknown".
  public var version: String { catalogue.version }

  /// Every name that the folder offers, sorted; legacy names beyond these are understood too.
  public var names: [String] { catalogue.names.sorted() }

  /// Every name that a zone can be asked for by: those of the folder, and what phones and old files call them.
  public var understoodNames: [String] {
    let catalogue = catalogue
    let others = ZoneAliases.all.filter { catalogue.listedName(for: $0) != nil }
    return catalogue.names.union(others).sorted()
  }

  /// The zone of that name, under the name it was asked for.
  public func zone(named name: String) throws(ZoneError) -> Zone {
    let (known, catalogue, generation) = contents.withLock {
      ($0.zones[name], $0.catalogue, $0.generation)
    }
    if let known { return known }
    let zone = try read(name, in: catalogue)
    contents.withLock { contents in
      // A reload may have come in between; then what was read may be old.
      if contents.generation == generation { contents.zones[name] = zone }
    }
    return zone
  }

  private var catalogue: ZoneCatalogue { contents.withLock { $0.catalogue } }

  private func read(_ name: String, in catalogue: ZoneCatalogue) throws(ZoneError) -> Zone {
    guard let listed = catalogue.listedName(for: name) else {
      throw .unknown(name, suggestion: catalogue.suggestion(for: name))
    }
    return try Zone(name: name, rules: rules(of: listed, in: catalogue))
  }

  private func rules(
    of name: String, in catalogue: ZoneCatalogue
  ) throws(ZoneError) -> ZoneRules {
    let folder = Folder(path: root)
    let bytes: [UInt8]
    do {
      bytes = try folder.bytes(of: name)
    } catch {
      guard let target = catalogue.links[name], catalogue.links[target] == nil else {
        throw .unreadable(name, root: root, reason: error.reason)
      }
      return try rules(of: target, in: catalogue)
    }
    do {
      return try ZoneFile(bytes).rules()
    } catch {
      throw .damaged(name, root: root, error)
    }
  }
}

extension ZoneDatabase {
  /// What a reload found.
  public struct Update: Sendable, Equatable, CustomStringConvertible {
    public let oldVersion: String
    public let newVersion: String
    /// The zones in use whose rules are different now, sorted.
    public let changedZones: [String]

    public var description: String {
      let zones = changedZones.isEmpty ? "no zone in use" : changedZones.joined(separator: ", ")
      return "zone data \(oldVersion) -> \(newVersion): \(zones) changed"
    }
  }

  /// Reads everything in use again and says what is different, or nothing when nothing is.
  ///
  /// When the folder cannot be read, as in the middle of an upgrade, what was known stays.
  public func reload() throws(ZoneError) -> Update? {
    let (old, names) = contents.withLock { ($0, $0.zones.keys.sorted()) }
    let catalogue = try ZoneCatalogue(of: Folder(path: root))
    var zones = [String: Zone]()
    for name in names { zones[name] = try read(name, in: catalogue) }
    let changed = names.filter { zones[$0] != old.zones[$0] }
    guard catalogue != old.catalogue || !changed.isEmpty else { return nil }
    contents.withLock {
      $0 = Contents(catalogue: catalogue, zones: zones, generation: $0.generation + 1)
    }
    return Update(
      oldVersion: old.catalogue.version, newVersion: catalogue.version, changedZones: changed)
  }
}
