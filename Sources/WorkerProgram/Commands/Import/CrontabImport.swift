internal import Config
internal import LocalTime

/// The settings that a crontab becomes.
struct CrontabImport {
  /// The zone of lines above which none is named.
  let zone: String

  /// The names that other jobs have.
  let taken: Set<String>

  /// Whether this host has a user of that name.
  let knowsUser: (String) -> Bool

  /// The settings, with a remark for each thing that cron does in another way.
  func settings(of reader: CrontabReader, from file: String) -> String {
    var names = taken
    var tables = [header(of: reader, from: file)]
    for job in reader.jobs {
      let name = job.command.name(besides: names)
      names.insert(name)
      tables.append(table(of: job, named: name))
    }
    tables += reader.faults.map { fault in
      comment("line \(fault.position.line) is left out: \(fault.reason)")
    }
    return tables.joined(separator: "\n\n") + "\n"
  }

  private func header(of reader: CrontabReader, from file: String) -> String {
    let user =
      reader.isSystem
      ? "only a daemon that is root can run programs as several users, and none is run as root"
      : "cron runs them as the owner of the crontab; here as the user of the daemon, or 'command_user'"
    let lines = [
      "from \(file), by 'worker import crontab'. Where cron does otherwise:",
      "- it starts a job beside its last run, if that goes on; here the tick is skipped, unless"
        + " overlap = \"allow\"",
      "- what falls due while no cron runs is lost; here the newest tick of the last day runs later, unless"
        + " missed = \"skip\"",
      "- a program whose daemon is killed is begun again here",
      "- it mails what a program prints; here 'worker show' and the log have it, and [notify] tells of failures",
      "- \(user)",
    ]
    return lines.map(comment).joined(separator: "\n")
  }

  private func table(of job: CrontabJob, named name: String) -> String {
    let words = job.command.words(shell: shell(of: job)).map { TomlString.written($0) }
    let lines =
      [comment("line \(job.line): \(job.text)")] + remarks(on: job).map(comment)
      + [
        "[jobs.\(name)]", "kind = \"command\"", "command = [\(words.joined(separator: ", "))]",
        "schedule = \(TomlString.written(job.schedule.cron.text))",
        "zone = \(TomlString.written(zone(of: job)))",
        "folder = \(TomlString.written(folder(of: job)))",
      ] + environment(of: job) + user(of: job)
    return lines.joined(separator: "\n")
  }

  private func comment(_ text: String) -> String { "# \(text.withVisibleControls)" }
}

extension CrontabImport {
  private func zone(of job: CrontabJob) -> String { job["CRON_TZ"] ?? zone }

  private func shell(of job: CrontabJob) -> String {
    job["SHELL"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/bin/sh"
  }

  /// cron begins in the home, which the crontab may name.
  private func folder(of job: CrontabJob) -> String {
    job["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "~"
  }

  /// What cron keeps for itself is not the program's.
  private static let ofCron: Set = [
    "CRON_TZ", "LOGNAME", "MAILFROM", "MAILTO", "RANDOM_DELAY", "USER",
  ]

  private func environment(of job: CrontabJob) -> [String] {
    let variables = job.variables.filter {
      !Self.ofCron.contains($0.name) && !$0.name.hasPrefix("JOBKIT_")
    }
    guard !variables.isEmpty else { return [] }
    let written = variables.map { "\($0.name) = \(TomlString.written($0.value))" }
    return ["environment = { \(written.joined(separator: ", ")) }"]
  }

  private func user(of job: CrontabJob) -> [String] {
    guard let user = job.user else { return [] }
    let line = "command_user = \(TomlString.written(user))"
    return isUsable(user) ? [line] : ["# \(line)", "enabled = false"]
  }

  private func isUsable(_ user: String) -> Bool { user != "root" && knowsUser(user) }

  private func remarks(on job: CrontabJob) -> [String] {
    var remarks = job.schedule.remarks
    if let remark = job.schedule.clockRemark, !["UTC", "Etc/UTC"].contains(zone(of: job)) {
      remarks.append(remark)
    }
    if job.command.input != nil {
      remarks.append("what stands behind '%' is standard input, a line for each further '%'")
    }
    if job.command.needsShell { remarks.append("it needs a shell, as it had below cron") }
    if let mail = job["MAILTO"], !mail.isEmpty {
      remarks.append("cron mails \(mail.inQuotes) what it prints: name a receiver in [notify]")
    }
    if job["RANDOM_DELAY"] != nil { remarks.append("RANDOM_DELAY is not kept") }
    if let user = job.user, !isUsable(user) {
      let reason =
        user == "root" ? "no program is run as root" : "this host has no user \(user.inQuotes)"
      remarks.append("\(reason): name a user in 'command_user', and take 'enabled' away")
    }
    return remarks
  }
}
