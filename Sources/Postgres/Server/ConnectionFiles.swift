internal import Glibc

/// The files that libpq opens as they are: what is no regular file could hold it there for ever.
enum ConnectionFiles {
  /// Refuses those that options name, whether the connection string gives them or the environment.
  ///
  /// Where they must exist, also those that are not there: libpq does without some, and says nothing.
  static func check(
    _ options: ConnectionOptions, mustExist: Bool = false
  ) throws(PostgresError) {
    for (name, path) in options.files.sorted(by: { $0.key < $1.key }) where path.hasPrefix("/") {
      // Whoever sets PGPASSFILE to what is not there wants none.
      let isWanted = name != "passfile" || options[name] != nil
      try check(path, named: name, mustExist: mustExist && isWanted)
    }
    try checkServices(mustExist: mustExist)
  }

  /// Refuses those in which libpq looks for a service wherever it reads options, once `PGSERVICE` names one.
  static func checkServices(mustExist: Bool = false) throws(PostgresError) {
    guard variable("PGSERVICE") != nil else { return }
    let named = variable("PGSERVICEFILE")
    let own = variable("HOME").map { "\($0)/.pg_service.conf" }
    let site = variable("PGSYSCONFDIR").map { "\($0)/pg_service.conf" }
    for path in [named ?? own, site].compactMap(\.self) {
      try check(path, named: "PGSERVICE", mustExist: mustExist && path == named)
    }
  }

  private static func check(
    _ path: String, named name: String, mustExist: Bool
  ) throws(PostgresError) {
    do throws(BoundedFile.Refused) {
      if name == "sslcrldir" {
        try BoundedFile.check(revocations: path)
      } else {
        try BoundedFile.check(path, mustExist: mustExist)
      }
    } catch {
      throw .unusable("cannot read the file of '\(name)': \(error)")
    }
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
