/// A folder of zone files of a test's own, in which a zone can be given other rules.
public final class ZoneFolder: Sendable {
  private let folder: ScratchFolder

  public var path: String { folder.path }

  /// One zone, such as Asia/Seoul, with its own rules, as of release 2025b.
  public init(of zone: String) throws {
    folder = try ScratchFolder()
    try release("2025b", with: zone, like: zone)
  }

  /// Gives the zone the rules of another, as a new release of the zone data does.
  public func release(_ version: String, with zone: String, like other: String) throws {
    let source = "\(try TestEnvironment.zoneinfo)/\(other)"
    try ChildProcess.run("/usr/bin/install", ["-D", "-m", "644", source, "\(path)/\(zone)"])
    try folder.write("# version \(version)\nZ \(zone) 0 - X\n", to: "tzdata.zi", mode: 0o644)
  }

  /// Leaves the zone half written, as in the middle of an upgrade.
  public func damage(_ zone: String) throws {
    try folder.write("TZif2", to: zone)
  }
}
