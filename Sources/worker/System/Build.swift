internal import CBuild

/// What this program was built from.
enum Build {
  static let version = "0.1.0"

  /// The commit, with a "+" when the tree was changed, or "unknown" outside a checkout.
  static let commit = unsafe String(cString: build_commit())

  static let swift = unsafe String(cString: build_swift())
}
