internal import Config
internal import JobKit
internal import LocalTime
internal import Runner

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
                  job has a daemon, the tables and the rights that it needs, and no job has failed in
                  all of its latest runs

      The daemon at 'http.listen' of the settings is asked; of the schedule the database is asked when
      none answers. Without such an address the database is asked for all of it, and then means all
      daemons, on whatever host.

      A daemon that says it is ready, or that all jobs are on time, is looked up in the ledger of the
      settings: one that is not there works for another database, which is a problem. Where that database
      cannot be asked, a note names the daemon. '--only live' asks no database about it.

      What the database tells has the times of the jobs' zone, or of the settings' where jobs have several.
      What a daemon answers is in UTC, and so is JSON.

      A mistake in the settings file is a note on standard error, and no answer: a daemon that runs goes on
      with the settings that it has. Its address is then --address, else $WORKER_HTTP_ADDRESS, else the line
      'listen' of that file.

      'worker health --only live' suits a liveness probe only where 'http.listen' is set: a database that is
      away must not restart the daemon. Without it the database is asked, and an outage counts as not live.
      """,
    options: [.config, .only, .healthAddress, .json],
    examples: [],
    run: { arguments, console in
      let aspects = try HealthQuestion.aspects(arguments[.only])
      let answer = try HealthQuestion(arguments, about: aspects).answer()
      for warning in answer.warnings { console.remark(warning) }
      try console.write(arguments.has(.json) ? answer.json : answer.text(in: console.style))
      return answer.isHealthy ? .done : .jobFailed
    })
}

extension Option {
  static let healthAddress = value(
    "address", "ADDRESS",
    "ask the daemon there, such as 127.0.0.1:9464 or unix:/run/worker/http.sock")
  static let only = value(
    "only", "live|ready|schedule", "ask about one of the three; else about all")
}

/// What was found out about each aspect.
struct HealthAnswer {
  /// Where it comes from.
  let source: String
  let findings: [Finding]

  /// What is wrong beside the daemon, which answers all the same.
  let warnings: [String]

  struct Finding {
    let aspect: HealthReport.Aspect
    let isHealthy: Bool
    /// The problems, a line each, or "ok".
    let text: String
    /// A report as JSON.
    let json: String
    /// The daemon that says so, where one does and its ledger knows it.
    var daemon: String?
  }

  var isHealthy: Bool { findings.allSatisfy(\.isHealthy) }

  /// A line for each problem; what is the matter with every aspect is told once.
  func text(in style: Style) -> String {
    if let first = findings.first, findings.count > 1, !first.isHealthy,
      findings.allSatisfy({ $0.text == first.text })
    {
      let names = findings.map(\.aspect.rawValue).joined(separator: ", ")
      return first.lines(in: style, behind: "\(names)  ")
    }
    return findings.map { finding in
      let name = finding.aspect.rawValue
      return finding.lines(
        in: style, behind: name + String(repeating: " ", count: 10 - name.count))
    }.joined()
  }

  /// An object with a member for each aspect, as the daemon reports it.
  var json: String {
    let members =
      [
        "\"healthy\": \(isHealthy)", "\"asked\": \(JSON.string(source).compact)",
        "\"warnings\": \(JSON.array(warnings.map { .string($0) }).compact)",
      ] + findings.map { "\"\($0.aspect.rawValue)\": \($0.json)" }
    return "{\n  " + members.joined(separator: ",\n  ") + "\n}\n"
  }
}

extension HealthAnswer.Finding {
  /// Its text, each line of it behind `mark`.
  fileprivate func lines(in style: Style, behind mark: String) -> String {
    text.split(separator: "\n").map { style.fitted(String($0), behind: mark) + "\n" }.joined()
  }

  /// A report, with instants as `write` writes them for people.
  init(_ report: HealthReport, _ write: (Instant) -> String = \.description) {
    self.init(
      aspect: report.aspect, isHealthy: report.isHealthy, text: report.text(write),
      json: report.json.compact)
  }
}
