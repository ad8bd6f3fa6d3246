/// How far a part has come: what is written with each chunk.
public struct Progress: Sendable, Equatable {
  /// Where the part goes on; nothing before its first chunk.
  public var cursor: String?

  /// How many of the keys are done.
  public var done = 0

  /// How much there is in all, when the job knows.
  public var total: Int?

  /// What else is counted, which the run shows and metrics add up.
  public var counters = Counters()

  /// What a dry run is shown of all that it would do, such as what would become of one item.
  public private(set) var examples: [String] = []

  /// How many examples are wanted: none of a run in earnest, of which nobody reads them.
  var mostExamples = 0

  package init(
    cursor: String? = nil, done: Int = 0, total: Int? = nil, counters: Counters = Counters()
  ) {
    (self.cursor, self.done, self.total, self.counters) = (cursor, done, total, counters)
  }

  /// Whether there is any use in looking for one more example.
  public var wantsExamples: Bool { examples.count < mostExamples }

  /// Keeps an example for who reads a dry run; the text is not even made when it is not wanted.
  public mutating func addExample(_ example: @autoclosure () -> String) {
    if wantsExamples { examples.append(example()) }
  }
}
