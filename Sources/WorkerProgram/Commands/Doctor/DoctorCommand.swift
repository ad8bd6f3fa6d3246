internal import Config
internal import JobKit
internal import LocalTime

extension Command {
  /// Says what is wrong with an installation, and what to do about it.
  static let doctor: Command = Command(
    name: "doctor",
    summary: "look at the whole installation: what is wrong, why it matters, what to do",
    discussion: """
      Looks at the settings, this host, the database and the daemons; it changes nothing. The worst comes
      first: a problem keeps something from working, a warning will one day, a note is worth knowing.
      What cannot be looked at says so, and hides nothing else. It ends with 0, or with 1 when there is
      a problem.

      Run it as the user and with the settings of the daemon, so that it sees what the daemon sees. What
      systemd hands to the daemon alone, a password say, it sees only as docs/operations.md shows.
      """
        + LearningApp.whenOn(
          """


          With --reach it also connects to the providers of pushes that are enabled: to Apple by HTTP/2 and no
          further, to Google for an access token, too. No push is sent.
          """),
    options: [.config, .check] + LearningApp.whenOn([.reach]) + [.json],
    examples: [
      ("worker doctor --only clock --only zones", "whether clocks and zone data agree"),
      ("worker doctor --only daemons --json", "the same of daemons, for machines"),
    ] + LearningApp.whenOn([("worker doctor --only push --reach", "whether pushes could leave")]),
    run: { arguments, console in
      let findings = Doctor.examine(
        SettingsFile(arguments), only: try chosen(by: arguments),
        reachingProviders: arguments.has(.reach))
      let isIll = findings.contains { $0.what.severity == .problem }
      if arguments.has(.json) {
        let members: [JSON.Member] = [
          .init("ok", .boolean(!isIll)), .init("findings", .array(findings.map(\.json))),
        ]
        try console.print(JSON.object(members).pretty)
      } else {
        let lines = findings.map { $0.text(in: console.style) }
        try console.print((lines + ["", summary(of: findings)]).joined(separator: "\n"))
      }
      return isIll ? .jobFailed : .done
    })

  private static func chosen(by arguments: Arguments) throws(UsageError) -> Set<String> {
    let names = arguments.all(.check)
    for name in names where !Doctor.names.contains(name) {
      let nearest = closest(to: name, in: Doctor.names).map { "did you mean '\($0)'?" }
      let expected = nearest ?? "write one of \(Doctor.names.joined(separator: ", "))"
      throw UsageError(.badValue(name, of: .check, expected: expected), command: .doctor)
    }
    return Set(names.isEmpty ? Doctor.names : names)
  }

  private static func summary(of findings: [Finding]) -> String {
    Observation.Severity.allCases.reversed().map { severity in
      let count = findings.count { $0.what.severity == severity }
      let word = severity == .ok || count == 1 ? "\(severity)" : "\(severity)s"
      return "\(count) \(word)"
    }.joined(separator: ", ")
  }
}

extension Option {
  fileprivate static let reach = flag("reach", "also connect to the providers of pushes")
  fileprivate static let check = value(
    "only", "CHECK", "make this check alone: \(Doctor.names.joined(separator: ", "))",
    repeats: true,
    choices: Doctor.names)
}
