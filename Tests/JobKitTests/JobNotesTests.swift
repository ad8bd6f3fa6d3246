import Testing

@testable import JobKit

@Suite("What a job notes while it has a part in hand")
struct JobNotesTests {
  private struct Rows: Equatable {
    let count: Int?
  }

  private struct Failure: Error {}

  @Test func `is looked up once for each name, also where nothing was found`() {
    let notes = JobNotes()
    var looks: [String] = []
    func fact(_ name: String, _ count: Int?) -> Rows {
      notes.fact(name) {
        looks.append(name)
        return Rows(count: count)
      }
    }

    let found = [fact("one", nil), fact("two", 2), fact("one", 3), fact("two", 4)]

    #expect(found.map(\.count) == [nil, 2, nil, 2])
    #expect(looks == ["one", "two"])
  }

  @Test func `is looked up anew once it is forgotten, or where the look failed`() throws {
    let notes = JobNotes()
    _ = notes.fact("one") { Rows(count: 1) }

    notes.forget("one")
    #expect(throws: Failure.self) { try notes.fact("one") { () throws -> Rows in throw Failure() } }

    #expect(notes.fact("one") { Rows(count: 2) } == Rows(count: 2))
  }
}
