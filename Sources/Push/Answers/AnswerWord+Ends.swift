internal import HTTP2

extension AnswerWord {
  /// The word for a request that has no answer.
  init(_ reason: NotSent) {
    let word =
      switch reason {
      case .unconnected(let failure): "connect_\(failure.reason)"
      case .refused: "stream_refused"
      case .noStream: "no_stream"
      case .windowFull: "window_full"
      case .draining: "draining"
      case .unusable: "unusable"
      }
    self.init(word)
  }

  init(_ reason: Uncertain) {
    let word =
      switch reason {
      case .timeout: "timeout"
      case .reset: "reset"
      case .lost(let closing): "connection_\(closing.reason)"
      }
    self.init(word)
  }

  /// The word for a push that cannot be sent.
  init(_ error: Unsendable) {
    self =
      switch error.delivery {
      case _ where error == .late: .late
      case .refused: .badToken
      case .rejected: .tooLong
      default: .noToken
      }
  }
}

extension GoAwayWord {
  /// The codes of HTTP/2, which stand for a GOAWAY that says no more.
  static let codes: Set<String> = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT",
    "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR",
    "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
  ]
}

/// The word by which a GOAWAY is counted.
public enum GoAwayWord {
  /// The server's own word where the list has it, else `other`.
  public static func known(_ word: String) -> String {
    codes.contains(word) || AnswerWord.all.contains(word) ? word : AnswerWord.other.text
  }
}
