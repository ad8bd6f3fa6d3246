internal import Config
internal import SampleWorld
internal import JobKit

extension WorldSummary {
  /// What a newcomer reads of a simulated world.
  func text(in style: Style) -> String {
    [
      style.bold("pushes by the learners' own clocks"), chart, promises,
      line("not sent", reasons), line("streaks", streaks), line("brain tokens", tokens),
      line("rewards", rewards), board(in: style),
    ].compactMap(\.self).joined(separator: "\n")
  }

  private var chart: String {
    let most = max(1, pushesByLocalHour.max() ?? 1)
    return pushesByLocalHour.enumerated().map { hour, count in
      let bar = String(repeating: "█", count: count * 48 / most) + (count > 0 ? "▌" : "")
      let night = hour >= 22 || hour < 7 ? "quiet for most" : ""
      return "  \(hour < 10 ? "0" : "")\(hour):00  " + (count > 0 ? "\(bar) \(count)" : night)
    }.joined(separator: "\n")
  }

  private var promises: String {
    """
    \(pushes) pushes sent, \(pushesOpened) opened
    \(pushesInQuietHours) in the quiet hours of the learner, \(pushesOutsideWindow) outside their window
    """
  }

  private func line(_ title: String, _ counts: [Count]) -> String? {
    guard !counts.isEmpty else { return nil }
    return "\(title): " + counts.map { "\($0.name) \($0.count)" }.joined(separator: " · ")
  }

  private func board(in style: Style) -> String? {
    guard !leaders.isEmpty else { return nil }
    let rows = leaders.map { "  \($0.rank). \($0.name)  \($0.score)" }
    return ([style.bold("top of the week's leaderboard")] + rows).joined(separator: "\n")
  }
}

extension WorldSummary {
  var json: JSON {
    [
      "pushes": .integer(pushes), "opened": .integer(pushesOpened),
      "in_quiet_hours": .integer(pushesInQuietHours),
      "outside_window": .integer(pushesOutsideWindow),
      "by_local_hour": .array(pushesByLocalHour.map { .integer($0) }),
      "not_sent": Self.json(of: reasons), "streaks": Self.json(of: streaks),
      "tokens": Self.json(of: tokens), "rewards": Self.json(of: rewards),
    ]
  }

  private static func json(of counts: [Count]) -> JSON {
    .object(counts.map { .init($0.name, .integer($0.count)) })
  }
}
