/// What a setting was and is; nothing where there was none.
public struct SettingChange: Sendable, Equatable {
  public let name: String
  public let before: String?
  public let after: String?

  /// Whether a daemon takes it on only when it starts.
  public var waitsForStart: Bool {
    let table = name.split(separator: ".").first ?? ""
    return name == "workers" || ["database", "log", "http", "apps"].contains(table)
  }
}

extension SettingChange: CustomStringConvertible {
  public var description: String { "\(name): \(before ?? "absent") -> \(after ?? "absent")" }
}
