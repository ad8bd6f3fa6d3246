import Glibc
import Postgres
import TestSupport
import Testing

@Suite struct LeakTests {
  @Test func `connections leave no descriptor behind, however they end`() async {
    await #expect(processExitsWith: .success) {
      let folder = try ScratchFolder()
      let dead = try Server("host=\(folder.path) dbname=app user=worker")
      let before = descriptors()
      let rounds = 40
      for _ in 0..<rounds {
        let connection = try TestDatabase.connectToShared()
        try connection.run("SELECT 1")
        _ = refusal { try Connection(to: dead) }
        _ = refusal { try connection.run("SELECT pg_sleep(60)", within: .milliseconds(5)) }
        _ = refusal {
          try connection.stream("SELECT generate_series(1, 1e9)") { _ in throw Marker() }
        }
        _ = refusal { try connection.run("SELECT pg_terminate_backend(pg_backend_pid())") }
      }
      // A thread that has sent a cancel lets go of its event a moment after it has told the end, and
      // the test harness opens and closes some of its own: a leak is one more in every round.
      try eventually { descriptors() < before + rounds / 2 }
    }
  }
}

/// The number of descriptors that this process has open.
private func descriptors() -> Int {
  (0..<1024).count { fcntl($0, F_GETFD) >= 0 }
}
