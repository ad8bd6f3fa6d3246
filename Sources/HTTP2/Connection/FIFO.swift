/// A line: who comes first goes first.
struct FIFO<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { count == 0 }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) {
    elements.append(element)
  }

  @discardableResult
  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    defer { advance() }
    return elements[head].take()
  }

  /// Drops what is of no more interest, in the middle too.
  mutating func keep(where isWanted: (Element) -> Bool) {
    elements = elements[head...].filter { $0.map(isWanted) ?? false }
    head = 0
  }

  /// Moves on; when half of the room is behind, it is given back.
  private mutating func advance() {
    head += 1
    guard head >= 32, head * 2 >= elements.count else { return }
    elements.removeFirst(head)
    head = 0
  }
}
