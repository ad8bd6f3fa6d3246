/// What the worker does after an answer, a sentence each: first with the push, then with the provider.
public enum Consequences {
  public static func sentences(of delivery: Delivery, _ verdict: Verdict?) -> [String] {
    [push(delivery)] + (verdict.map(provider) ?? [])
  }

  private static func push(_ delivery: Delivery) -> String {
    switch delivery {
    case .sent, .accepted: "the push is sent"
    case .refused:
      "the device is invalidated with this reason, and the learner's next device is tried"
    case .rejected: "the push is failed: no other device is tried"
    case .notSent(_, nil): "the push stays planned, and is tried again until its window ends"
    case .notSent(_, let wait?):
      "the push stays planned, and is tried again after \(seconds(wait)) s, until its window ends"
    case .uncertain: "the push is uncertain: it counts as sent, and is not sent again"
    }
  }

  private static func provider(_ verdict: Verdict) -> [String] {
    let health: String? =
      switch verdict.health {
      case .good, .silent: nil
      case .failing: "the answer counts as a failure: a fifth of a hundred stop the provider"
      case .unknown: "nobody knows this answer: twenty of them stop the provider for a minute"
      case .closed(let reason): "no push leaves for the provider for a minute: \(reason)"
      }
    let token: String? =
      switch verdict.token {
      case .keep: nil
      case .renew: "the next push gets a new token"
      case .freeze: "no new token is minted for 20 minutes"
      }
    return [
      health, verdict.rate == .halve ? "the rate halves" : nil, token,
      verdict.connections == .renew ? "its connections end, and others are made" : nil,
    ].compactMap(\.self)
  }

  private static func seconds(_ wait: Duration) -> Int64 { wait.components.seconds }
}
