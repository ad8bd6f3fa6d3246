internal import Glibc

/// The variables that this program was started with.
enum Environment {
  static subscript(name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// The variables of these names that are set.
  static func values(of names: [String]) -> [String: String] {
    names.reduce(into: [:]) { values, name in values[name] = self[name] }
  }
}

extension Environment {
  /// What says where the zone data is.
  static var ofZones: [String: String] { values(of: ["TZDIR"]) }
}
