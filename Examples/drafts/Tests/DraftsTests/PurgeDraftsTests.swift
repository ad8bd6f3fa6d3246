import Drafts
import JobKit
import JobKitTesting
import Testing

@Suite("Purge drafts")
struct PurgeDraftsTests {
  @Test func `it deletes drafts that were last edited more than a week ago`() throws {
    let stage = try Stage(at: "2026-03-08T03:30:00Z")
    try stage.connection.run(
      script: """
        CREATE TABLE draft (id bigint PRIMARY KEY, edited_at timestamptz);
        INSERT INTO draft SELECT n, '2026-03-01T03:29:59Z' FROM generate_series(1, 2500) n;
        INSERT INTO draft VALUES (0, '2026-03-01T03:30:00Z');
        """)

    let run = try stage.run(PurgeDrafts())

    #expect(run.state == .succeeded)
    #expect(try stage.text("SELECT string_agg(id::text, ' ') FROM draft") == "0")

    try stage.pass(.seconds(1))
    _ = try stage.run(PurgeDrafts())
    #expect(try stage.count("SELECT count(*) FROM draft") == 0)
  }
}
