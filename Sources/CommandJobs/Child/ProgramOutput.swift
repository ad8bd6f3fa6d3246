internal import JobKit

/// What a program prints to its two streams: its lines for whoever listens, and the last of it all.
struct ProgramOutput {
  typealias Listener = (_ line: String, PrintedLine.Stream) -> Void

  /// The lines of both, in the order in which they were read.
  private(set) var tail = OutputTail()

  private var streams: [PrintedLine.Stream: StreamLines] = [:]
  private var lineCount = 0
  private let listener: Listener

  init(hearing listener: @escaping Listener) {
    self.listener = listener
  }

  mutating func take(_ bytes: ArraySlice<UInt8>, from stream: PrintedLine.Stream) {
    add(streams[stream, default: StreamLines()].take(bytes)[...], from: stream)
  }

  /// The program prints nothing more: what it did not end with a newline is a line, too.
  mutating func end() {
    for stream in PrintedLine.Stream.allCases {
      add(streams[stream, default: StreamLines()].takeRest()[...], from: stream)
    }
  }

  private mutating func add(_ lines: ArraySlice<UInt8>, from stream: PrintedLine.Stream) {
    tail.append(lines)
    var left = lines
    while lineCount < Self.most, !left.isEmpty {
      let line = StreamLines.removeFirstLine(of: &left)
      guard !line.isEmpty else { continue }
      lineCount += 1
      listener(String(decoding: line, as: UTF8.self).replacing("\0", with: "\u{FFFD}"), stream)
      if lineCount == Self.most {
        listener("further lines are not logged: 'worker show' has the last of them", stream)
      }
    }
  }

  /// How many lines of one try are heard.
  static let most = 1000
}
