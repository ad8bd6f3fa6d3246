internal import CPostgres

/// The C library that speaks to Postgres.
///
/// It is loaded when the first connection string is read: `worker version` and `worker next` do without.
public enum Libpq {
  /// The version that this program was built for, such as `15.18`.
  public static let builtFor = unsafe String(cString: libpq_built_for())

  /// The version that this program runs with; nil when there is none that it can use.
  public static var version: String? {
    guard failure == nil else { return nil }
    let number = PQlibVersion()
    return "\(number / 10_000).\(number % 10_000)"
  }

  /// Sees to it that the library is there, before anything of it is called.
  static func load() throws(PostgresError) {
    guard let failure else { return }
    throw .unusable("libpq cannot be loaded, install Debian's libpq5: \(failure)")
  }

  private static let failure = unsafe libpq_load().map { unsafe String(cString: $0) }
}
