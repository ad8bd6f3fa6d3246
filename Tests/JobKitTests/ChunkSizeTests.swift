import Testing

@testable import JobKit

@Suite("How many rows a chunk takes")
struct ChunkSizeTests {
  /// The sizes of chunks that took so many milliseconds each.
  private func sizes(_ size: ChunkSize, after milliseconds: [Int]) -> [Int] {
    var size = size
    return milliseconds.map { took in
      size.adapt(to: .milliseconds(took))
      return size.count
    }
  }

  @Test func `after a quick chunk comes one of twice the size, up to the most`() {
    #expect(
      sizes(ChunkSize(from: 2000, upTo: 10_000), after: [1, 199, 100, 0]) == [
        4000, 8000, 10_000, 10_000,
      ])
  }

  @Test func `after a long chunk comes one of half the size, down to an eighth of the first`() {
    #expect(
      sizes(ChunkSize(from: 800, upTo: 1600), after: [801, 5000, 900, 900]) == [400, 200, 100, 100])
  }

  @Test func `a chunk that took neither long nor little is followed by one of the same size`() {
    #expect(sizes(ChunkSize(from: 2000, upTo: 10_000), after: [200, 800]) == [2000, 2000])
  }

  @Test func `a size that is fixed stays`() {
    #expect(sizes(ChunkSize(always: 7), after: [1, 900]) == [7, 7])
  }

  @Test func `one that is cut off shrinks to a sixteenth, as often as there is more than one row`()
  {
    var size = ChunkSize(from: 800, upTo: 1600)
    var shrunk: [Int] = []
    while size.shrink() { shrunk.append(size.count) }

    #expect(shrunk == [50, 3, 1])
  }

  @Test func `one that has shrunk below the least grows unless it takes long, and never for that`()
  {
    var size = ChunkSize(always: 20)
    _ = size.shrink()

    #expect(sizes(size, after: [801, 300, 800, 900, 700, 700, 700]) == [1, 2, 4, 4, 8, 16, 20])
  }
}
