/// A line that the program of a part has printed.
package struct PrintedLine: Sendable, Equatable {
  package let fence: Fence
  package let stream: Stream
  package let text: String

  package enum Stream: String, Sendable, CaseIterable {
    case output = "stdout"
    case errors = "stderr"
  }

  package init(_ text: String, to stream: Stream, by fence: Fence) {
    (self.text, self.stream, self.fence) = (text, stream, fence)
  }
}
