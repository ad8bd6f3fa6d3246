internal import CPostgres

/// The C library that speaks to Postgres.
public enum Libpq {
  /// The version of libpq that this program runs with, such as `15.18`.
  public static var version: String {
    let number = PQlibVersion()
    return "\(number / 10_000).\(number % 10_000)"
  }
}
