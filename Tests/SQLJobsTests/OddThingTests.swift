import Testing

/// Rows at the edges of what the columns of an app's table take, its keys among them, before jobs of the settings.
@Suite("Rows of an app that hardly ever come")
struct OddThingTests {
  @Test func `change nothing of what jobs in SQL make of ordinary rows, and are each met once`()
    throws
  {
    let odd = OddThing.all(seed: 36)

    let (alone, beside) = (try OddThings(), try OddThings(adding: odd))

    #expect(alone.faults == [] && beside.faults == [])
    let (expected, found) = (try alone.results(), try beside.results())
    for (table, rows) in expected {
      let change = zip(rows, found[table] ?? []).first { $0 != $1 }
      let words = change.map { "\($1) instead of \($0)" } ?? ""
      #expect(change == nil && found[table]?.count == rows.count, "\(table): \(words)")
    }
    #expect(try beside.oddRows() > 150)
    #expect(try beside.unmet() == ["archive": 0, "touch": 0, "count": 0])
  }

  @Test func `stand beside ordinary rows of which each job has made something`() throws {
    let results = try OddThings().results()

    #expect(results["thing"]?.count == 150 && results["archive"]?.count == 150)
    #expect(results["total"]?.count ?? 0 > 100)
    for touches in 0...2 {
      let text = "\"touches\": \(touches)"
      #expect(results["thing"]?.contains { $0.contains(text) } == true, "\(text)")
    }
  }
}
