public import LocalTime

/// What Google's provider means by its answers.
public enum GoogleAnswers {
  /// What an answer at `now` means for a push, and for those after it.
  public static func verdict(_ answer: ProviderAnswer, at now: Instant) -> Verdict {
    let document = answer.document
    let details = Details(document)
    let words = details.words(answer.status)
    let wait = RetryAfter.wait(answer.retryAfter, at: now)
    switch (answer.status, details.code) {
    case (200, _):
      let name = document?["name"]?.text?.forALine
      return Verdict(delivery: name.map { .accepted(as: $0) } ?? .sent)
    case (400, _):
      let blamesToken = details.code == "INVALID_ARGUMENT" && !details.namesFields
      return Verdict(delivery: blamesToken ? .refused(words) : .rejected(words), health: .failing)
    case (401, "THIRD_PARTY_AUTH_ERROR"):
      return Verdict(delivery: .rejected(words), health: .failing)
    case (401, _):
      return Verdict(delivery: .notSent(words, wait: .seconds(5)), token: .renew)
    case (403, "SENDER_ID_MISMATCH"): return Verdict(delivery: .refused(words), health: .failing)
    case (403, _): return .closed("the service account is refused: \(words)")
    case (404, "UNREGISTERED"): return Verdict(delivery: .refused(words))
    case (404, _): return .closed("the project is not found: \(words)")
    case (429, _):
      return Verdict(delivery: .notSent(words, wait: wait ?? .seconds(60)), rate: .halve)
    case (500, _), (502, _), (503, _), (504, _): return outage(answer.status, words, wait: wait)
    default: return .unknown(words)
    }
  }

  /// The word by which an answer is counted.
  static func word(_ answer: ProviderAnswer) -> AnswerWord {
    guard answer.status != 200 else { return .accepted }
    let details = Details(answer.document)
    return details.word.map { AnswerWord($0) } ?? AnswerWord(status: answer.status)
  }

  /// Google has answered 503 to pushes that it delivered: only one who says when to come again has shed load.
  private static func outage(_ status: Int, _ words: String, wait: Duration?) -> Verdict {
    let rate: Verdict.Rate = status == 503 ? .halve : .keep
    guard status == 503, let wait else {
      return Verdict(delivery: .uncertain(words), health: .failing, rate: rate)
    }
    return Verdict(delivery: .notSent(words, wait: wait), health: .failing, rate: rate)
  }

  /// What an answer says beside its status.
  private struct Details {
    /// The code of messaging, such as UNREGISTERED.
    let code: String?

    /// Whether it says which members of the message are wrong.
    let namesFields: Bool

    private let status: String?

    init(_ document: JSONValue?) {
      let error = document?["error"]
      let details = error?["details"]?.array ?? []
      code = details.lazy.compactMap { $0["errorCode"]?.text }.first
      namesFields = details.contains { !($0["fieldViolations"]?.array ?? []).isEmpty }
      status = error?["status"]?.text
    }

    /// The answer in a word, such as UNREGISTERED, where it has one.
    var word: String? { code ?? status }

    /// The answer in a word or, where it has none, its number.
    func words(_ number: Int) -> String { word?.forALine ?? "\(number)" }
  }
}
