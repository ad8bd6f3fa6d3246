internal import CWorker

/// What this program was built from.
enum Build {
  static let version = "0.1.0"

  /// The commit, with a "+" when the tree was changed, or "unknown" outside a checkout.
  static let commit = unsafe String(cString: build_commit())

  /// What the ledger calls this build; a rehearsal may pass for another.
  static var name: String {
    #if DEBUG
      if let name = Environment["WORKER_REHEARSAL_VERSION"] { return name }
    #endif
    return "\(version) \(commit)"
  }

  /// The compiler; it tells its version only to those who guess it.
  static var swift: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
