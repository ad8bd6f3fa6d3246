import Glibc
import TestSupport
import Testing

/// Who is said to have done something, where the environment names nobody: cron, systemd and containers do so.
@Suite("Who does something by hand")
struct AuthorTests {
  @Test func `is the user by the name that the system knows, without $USER or with an empty one`()
    throws
  {
    let database = try TestDatabase.migrated()
    let user = try #require(
      unsafe getpwuid(getuid()).map { unsafe String(cString: $0.pointee.pw_name) })

    for variables in [[:], ["USER": ""]] {
      let program = try Program(
        words: ["pause", "settle_rewards", "--reason", "a test", "--json"],
        variables: [
          "WORKER_CONFIG": "/dev/null", "WORKER_DATABASE_URL": database.url,
          "TZDIR": TestEnvironment.zoneinfo,
        ].merging(variables) { first, _ in first })

      #expect(program.output.contains("\"paused_by\": \"\(user)@"), "\(program.errors)")
    }
  }
}
