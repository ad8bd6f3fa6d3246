@testable import JobKit
@testable import Runner

import Postgres
import TestKit
import Testing

@Suite("How durably a chunk is committed")
struct ChunkDurabilityTests {
  private let stage: Stage

  /// A stage with a run that is due, and a note of what each write of its part asks for.
  init() throws {
    stage = try Stage(at: "2026-03-01T10:00:00Z")
    let name = try stage.text("SELECT current_database()")
    try stage.connection.run("ALTER DATABASE \(identifier: name) SET synchronous_commit = on")
    try stage.connection.run(
      script: """
        CREATE TABLE promise (number serial, of_state text, kept text);
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO promise (of_state, kept)
          VALUES (new.state, current_setting('synchronous_commit'));
          RETURN new;
        END $$;
        """)
    try stage.enter()
    try stage.connection.run(
      """
      CREATE TRIGGER note BEFORE UPDATE ON jobkit.part FOR EACH ROW
      WHEN (old.done <> new.done OR new.state = 'succeeded') EXECUTE FUNCTION note()
      """)
  }

  private func promises(isDurable: Bool) throws -> String {
    var worker = try stage.worker(
      1,
      WorkerPool.Member(
        job: Rehearsed { context in
          try context.inChunks(isDurable: isDurable) { _, progress in
            progress.done += 1
            return progress.done == 2 ? .finished : .more
          }
          return Outcome("done")
        }, policies: Policies()))
    _ = try worker.work()
    return try stage.text(
      "SELECT string_agg(of_state || ' ' || kept, ', ' ORDER BY number) FROM promise")
  }

  @Test func `each chunk is on the disk before the next begins`() throws {
    #expect(try promises(isDurable: true) == "running on, running on, succeeded on")
  }

  @Test func `where that is not asked for, it is with the end of the run`() throws {
    #expect(try promises(isDurable: false) == "running off, running off, succeeded on")
  }
}
