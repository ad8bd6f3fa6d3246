public import LocalTime

/// What a webhook means by its answers; what it writes in them is read by nobody.
public enum WebhookAnswers {
  /// The word by which an answer is counted.
  static func word(_ answer: ProviderAnswer) -> AnswerWord {
    (200..<300).contains(answer.status) ? .accepted : AnswerWord(status: answer.status)
  }

  /// What an answer at `now` means for a push, and for those after it.
  public static func verdict(_ answer: ProviderAnswer, at now: Instant) -> Verdict {
    let words = "\(answer.status)"
    let wait = RetryAfter.wait(answer.retryAfter, at: now)
    switch answer.status {
    case 200..<300: return Verdict(delivery: .sent)
    case 300..<400:
      return Verdict(
        delivery: .rejected("\(words), and redirects are not followed"), health: .failing)
    case 410: return Verdict(delivery: .refused("\(words), it wants no webhook more"))
    case 408, 425: return Verdict(delivery: .notSent(words, wait: wait), health: .failing)
    case 429:
      return Verdict(delivery: .notSent(words, wait: wait ?? .seconds(60)), rate: .halve)
    case 503 where wait != nil:
      return Verdict(delivery: .notSent(words, wait: wait), health: .failing, rate: .halve)
    case 500..<600:
      // Whoever fails may have done what was asked before.
      let isBusy = [502, 503, 504].contains(answer.status)
      return Verdict(
        delivery: .uncertain(words), health: .failing, rate: isBusy ? .halve : .keep)
    case 400..<500: return Verdict(delivery: .rejected(words), health: .failing)
    default: return .unknown(words)
    }
  }
}
