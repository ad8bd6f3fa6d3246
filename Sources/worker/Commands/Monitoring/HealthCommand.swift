internal import Config
internal import JobKit

extension Command {
  /// Says whether all is well, for probes.
  static let health: Command = Command(
    name: "health",
    summary: "say whether the daemon lives, is ready, and every job is on time, for probes",
    discussion: """
      Ends with 0 when all is well, and with 1 and a line for each problem when it is not.

        live      the daemon's process is alive and its loops turn
        ready     it has decided what is due, the database answers, and it does not drain
        schedule  every tick is decided, no job is later than its 'late_after' and no run is held for
                  longer than that, no pause without an end has lasted for 'notify.paused_after', every
                  job has a daemon

      Where the settings name an address in 'http.listen', the daemon there is asked; of the schedule the
      database is asked when none answers. Without such an address the database is asked for all of it,
      and then means all daemons, on whatever host.

      'worker health --only live' suits a liveness probe only where 'http.listen' is set: a database that is
      away must not restart the daemon. Without it the database is asked, and an outage counts as not live.
      """,
    options: [.config, .only, .json],
    examples: [],
    run: { arguments, console in
      let aspects = try HealthQuestion.aspects(arguments[.only])
      let answer = try HealthQuestion(arguments, about: aspects).answer()
      try console.write(arguments.has(.json) ? answer.json : answer.text)
      return answer.isHealthy ? .done : .jobFailed
    })
}

extension Option {
  static let only = value(
    "only", "live|ready|schedule", "ask about one of the three; else about all")
}

/// What was found out about each aspect.
struct HealthAnswer {
  /// Where it comes from.
  let source: String
  let findings: [Finding]

  struct Finding {
    let aspect: HealthReport.Aspect
    let isHealthy: Bool
    /// The problems, a line each, or "ok".
    let text: String
    /// A report as JSON.
    let json: String
  }

  var isHealthy: Bool { findings.allSatisfy(\.isHealthy) }

  /// A line for each problem; what is the matter with every aspect is told once.
  var text: String {
    if let first = findings.first, findings.count > 1, !first.isHealthy,
      findings.allSatisfy({ $0.text == first.text })
    {
      let names = findings.map(\.aspect.rawValue).joined(separator: ", ")
      return first.text.split(separator: "\n").map { "\(names)  \($0)\n" }.joined()
    }
    return findings.flatMap { finding in
      finding.text.split(separator: "\n").map { line in
        "\(finding.aspect.rawValue)\(String(repeating: " ", count: 10 - finding.aspect.rawValue.count))"
          + "\(line)\n"
      }
    }.joined()
  }

  /// An object with a member for each aspect, as the daemon reports it.
  var json: String {
    let members =
      [
        "\"healthy\": \(isHealthy)", "\"asked\": \(JSON.string(source).compact)",
      ] + findings.map { "\"\($0.aspect.rawValue)\": \($0.json)" }
    return "{\n  " + members.joined(separator: ",\n  ") + "\n}\n"
  }
}

extension HealthAnswer.Finding {
  init(_ report: HealthReport) {
    self.init(
      aspect: report.aspect, isHealthy: report.isHealthy, text: report.text,
      json: report.json.compact)
  }
}
