internal import JobKit
internal import Settings

extension Command {
  /// Writes the alerts for the configured jobs.
  static let alerts: Command = Command(
    name: "alerts",
    summary: "print alerting rules for the configured jobs and their limits",
    discussion: """
      Prints rules for Prometheus, as a file that 'rule_files' may name: those of the daemon, and for each
      job that is enabled two with limits of its own, how late it may be ('late_after') and how long it
      may go without a success (two of its longest pauses between ticks, and its time limits). How long
      any may be paused is 'notify.paused_after'.

      What each alert means and what to do is in docs/monitoring.md.
      """,
    options: [.prometheus, .config],
    examples: [
      ("worker alerts", "rules for the jobs of the settings")
    ],
    run: { arguments, console in
      let settings = try SettingsFile(arguments).load().settings
      try console.write(AlertRules(for: settings).yaml)
      return .done
    })
}

extension Option {
  fileprivate static let prometheus = flag(
    "prometheus", "print rules as Prometheus reads them, which happens without it too")
}
