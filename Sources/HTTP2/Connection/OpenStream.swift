/// A request on its way, and what has come of its answer.
struct OpenStream {
  let token: Int

  /// Whether the server may have it.
  var hasLeft = false

  private(set) var answer: Answer?
  private var headerBytes = 0

  init(token: Int) {
    self.token = token
  }

  /// The final status; one that only says "go on" is none.
  mutating func take(status: Int) {
    guard status >= 200, answer == nil else { return }
    answer = Answer(status: status, isWhole: false)
  }

  mutating func take(_ header: HeaderField, most: Int) {
    headerBytes += header.name.utf8.count + header.value.utf8.count
    guard headerBytes <= most else { return }
    answer?.headers.append(header)
  }

  /// Adds to the body; false when it is longer than it may be.
  mutating func take(_ bytes: [UInt8], most: Int) -> Bool {
    let room = most - (answer?.body.count ?? 0)
    answer?.body += bytes.prefix(room)
    return bytes.count <= room
  }

  /// How it ends when nothing more can come: a status that came stands.
  func end(otherwise uncertain: Uncertain) -> End {
    if let answer { .answered(answer) } else { .uncertain(uncertain) }
  }
}
