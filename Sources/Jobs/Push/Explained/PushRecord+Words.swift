import LocalTime

/// What became of a day's push, a sentence each.
extension PushRecord {
  func words(in zone: Zone) -> [String] {
    let words = PushWords(zone: zone, day: day)
    var lines = ["\(kind.words) was decided at \(words.time(plannedAt))"]
    if let window {
      let minute = minute.map { ", its minute \(words.time($0))" } ?? ""
      lines.append("its window was \(words.span(window))\(minute)")
    }
    if let template {
      lines.append("its text is '\(template)'" + (variant.map { ", variant '\($0)'" } ?? ""))
    }
    lines.append(outcome(words))
    lines += [device?.words, answer.map { "its latest try ended with '\($0)'" }].compactMap(\.self)
    if let providerID { lines.append("\(provider ?? "its provider") knows it as '\(providerID)'") }
    return lines + events.map { "\($0.name) at \(words.time($0.at))" }
  }

  private func outcome(_ words: PushWords) -> String {
    let why = reason.map { ": \(pushReasonInWords($0))" } ?? ""
    let sent = sentAt.map { " at \(words.time($0))" } ?? ""
    let place = provider.map { " by \($0)" } ?? ""
    return switch state {
    case .planned: "it is planned\(tried)"
    case .sending: "it is being handed over"
    case .sent: "it was handed over\(sent)\(place), and nobody has answered yet"
    case .opened: "it was handed over\(sent)\(place), and opened"
    // Only what was uncertain has a reason then: nobody knows of a hand-over.
    case .ignored where reason != nil: "nobody answered, and whether it arrived is not known\(why)"
    case .ignored: "it was handed over\(sent)\(place), and nobody answered"
    case .failed: "it failed\(why)"
    case .uncertain: "whether it arrived is not known\(why)"
    case .expired: "it expired\(tried)\(why)"
    case .suppressed: "it was suppressed\(why)"
    }
  }

  /// How often it was to be handed over, of what was not.
  private var tried: String {
    switch tries {
    case 0: ""
    case 1: ", and was tried once"
    default: ", and was tried \(tries) times"
    }
  }
}

extension PushRecord.Device {
  fileprivate var words: String {
    let token = hash.map { " (SHA-256 of its token: \($0)…)" } ?? ""
    let end = invalidReason.map { ", which its provider has called gone: '\($0)'" } ?? ""
    return "its device is number \(id)\(token)\(end)"
  }
}
