/// Why a server wants a connection to end, as it says itself.
struct GoAway: Sendable, Equatable {
  let code: ErrorCode

  /// What it sends beside the code; Apple sends JSON with a `reason`.
  let text: String

  /// How many words are counted apart: what a server may write is not bounded by anything else.
  static let mostWords = 16

  /// One word to count by: the `reason`, or the name of the code when there is none.
  var word: String {
    guard !text.isEmpty else { return code.description }
    return reason ?? "other"
  }

  /// Whether the server finds fault with something; it may end connections as it likes, and says so by no error.
  var isComplaint: Bool {
    guard code == .noError else { return true }
    return !["NO_ERROR", "Shutdown", "IdleTimeout", "other"].contains(word)
  }

  private var reason: String? {
    let quoted = text.split(separator: "\"", omittingEmptySubsequences: false)
    guard let name = quoted.firstIndex(of: "reason"), name + 2 < quoted.count else { return nil }
    let word = quoted[name + 2]
    let isWord = word.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 }
    return isWord && !word.isEmpty && word.utf8.count <= 40 ? String(word) : nil
  }
}
