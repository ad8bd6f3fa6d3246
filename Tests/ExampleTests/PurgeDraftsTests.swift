import JobKit
import Ledger
import Postgres
import TestKit
import TestSupport
import Testing

@Suite("The first job, as the README shows it")
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
  }

  @Test func `the README shows it word by word`() throws {
    let code = try TextFile.read("Tests/ExampleTests/PurgeDrafts.swift")

    #expect(try TextFile.read("README.md").contains("```swift\n\(code)```\n"))
  }
}
