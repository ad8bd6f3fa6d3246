import LocalTime
import Postgres
import TestKit
import Testing

@testable import Jobs

/// One row that the schema takes stops and changes nothing of other learners, and keeps no question from its answer.
///
/// The columns and the conditions are read from the catalog: a new column is tried by itself.
@Suite("Rows at the edges of what the schema takes")
struct OddRowTests {
  /// What becomes of ordinary learners who are by themselves.
  private static let expected = Result { () throws -> [String: [String]] in
    let (world, faults) = try OddWorld().run()
    guard faults.isEmpty else { throw Fault(text: faults.joined(separator: "; ")) }
    return try world.results()
  }

  private struct Fault: Error {
    let text: String
  }

  @Test(arguments: AppColumn.appTables)
  func `change nothing of the others, and stop no job`(table: String) throws {
    let columns = try Self.columns(of: table)
    let rows = OddRow.all(of: columns, seed: 36)

    let (world, fault) = try Self.outcome(of: rows)

    let tried = Set(world.taken.flatMap { $0.odd.map(\.column) })
    #expect(columns.filter { $0.references == nil && !tried.contains($0.name) }.map(\.name) == [])
    guard let fault else { return }
    for (row, fault) in try Self.culprits(among: world.taken, fault).prefix(12) {
      Issue.record("\(row.name): \(fault)")
    }
  }

  @Test func `are tried beside ordinary learners of whom every job has made something`() throws {
    let results = try Self.expected.get()

    let empty = results.filter(\.value.isEmpty).map(\.key).sorted()
    #expect(empty == ["widget_changes"])
  }

  private static func columns(of table: String) throws -> [AppColumn] {
    let stage = try Stage(at: "2026-03-03T12:00:00Z", with: .learning)
    return try AppColumn.all(on: stage.connection).filter { $0.table == table }
  }

  /// The world with these rows, and what is wrong in it.
  private static func outcome(of rows: [OddRow]) throws -> (world: OddWorld, fault: String?) {
    let (world, faults) = try OddWorld().run(adding: rows)
    if let fault = faults.first { return (world, fault) }
    let (expected, found) = (try expected.get(), try world.results())
    let other = expected.keys.sorted().first { expected[$0] != found[$0] }
    return (world, other.map { difference(in: $0, expected[$0] ?? [], found[$0] ?? []) })
  }

  private static func difference(
    in table: String, _ expected: [String], _ found: [String]
  ) -> String {
    let lost = expected.first { !found.contains($0) } ?? "nothing"
    let new = found.first { !expected.contains($0) } ?? "nothing"
    return "\(table) has \(new) instead of \(lost)"
  }

  /// The rows that are to blame, each by itself, and for what.
  private static func culprits(
    among rows: [OddRow], _ fault: String
  ) throws -> [(OddRow, String)] {
    guard rows.count > 1 else { return rows.map { ($0, fault) } }
    let halves = [Array(rows[..<(rows.count / 2)]), Array(rows[(rows.count / 2)...])]
    var culprits: [(OddRow, String)] = []
    for half in halves where culprits.count < 12 {
      guard let fault = try outcome(of: half).fault else { continue }
      culprits += try Self.culprits(among: half, fault)
    }
    return culprits
  }
}
