internal import Config
internal import JobKit
internal import LocalTime
internal import Settings

/// The alerts for a program under its settings.
struct AlertRules {
  private let jobs: [JobSettings]
  private let pausedAfter: Duration

  init(for settings: Settings) {
    jobs = settings.jobs.filter(\.isEnabled)
    pausedAfter = settings.notify.pausedAfter
  }

  /// A file of rules for Prometheus.
  var yaml: String {
    """
    # Made by 'worker alerts --prometheus'. What each alert means and what to do: docs/monitoring.md
    groups:
      - name: worker
        rules:
    \((Self.ofDaemon + LearningApp.whenOn(Self.ofPushes)).map(\.yaml).joined())  - name: worker_jobs
        rules:
    \((Self.ofEveryJob + [ofPause] + jobs.flatMap(Self.alerts)).map(\.yaml).joined())
    """.trimmedAtEnd + "\n"
  }

  private var ofPause: Alert {
    Alert(
      name: "WorkerJobPaused",
      condition: "max by (job) (worker_job_paused_seconds) > \(pausedAfter.seconds)",
      lasting: "5m", severity: .ticket,
      summary: "{{ $labels.job }} has been paused for more than \(pausedAfter.written)",
      advice: "worker jobs says by whom and why; worker resume {{ $labels.job }} ends it.")
  }

  private static func alerts(of job: JobSettings) -> [Alert] {
    let name = job.name.text
    let late = job.policies.lateAfter
    var alerts = [
      Alert(
        name: "WorkerJobLate",
        condition: "max by (job) (worker_job_late_seconds{job=\"\(name)\"}) > \(late.seconds)",
        lasting: "1m", severity: .page,
        summary: "\(name) is more than \(late.written) late",
        advice: "worker health --only schedule says what it waits for; worker ps what the workers"
          + " are at.",
        job: name)
    ]
    if let patience = job.patience {
      alerts.append(
        Alert(
          name: "WorkerJobWithoutSuccess", condition: isWithoutSuccess(name, patience.seconds),
          lasting: "5m", severity: .page,
          summary: "\(name) has not succeeded for more than \(patience.written)",
          advice: "worker runs \(name) shows how its runs ended; worker why \(name) why it did"
            + " not run.",
          job: name))
    }
    return alerts
  }

  /// Whether a job has not succeeded for too long, also when no success of it is known.
  ///
  /// None is of a job that has never succeeded, or not for so many ticks that a daemon does not find it at its
  /// start: then it is counted from there, or from when the daemon enabled the job.
  private static func isWithoutSuccess(_ job: String, _ patience: Int64) -> String {
    let success = "max by (job) (worker_last_success_timestamp_seconds{job=\"\(job)\"})"
    return "(time() - \(success) > \(patience)"
      + " or max by (job) (min_over_time(worker_job_enabled{job=\"\(job)\"}[\(patience)s]) == 1"
      + " and on (instance) time() - process_start_time_seconds > \(patience)) unless \(success))"
      + " unless max by (job) (worker_job_paused_seconds{job=\"\(job)\"}) > 0"
  }
}

extension JobSettings {
  /// For how long it is no news that the job has not succeeded.
  ///
  /// Two of its longest pauses between ticks, so that one failure is none; before them whatever longer time it is to
  /// rest; and what a run may take.
  var patience: Duration? {
    let (pause, wait) = (longestPause, longestWait)
    guard pause > .zero else { return nil }
    return pause * 2 + (wait > pause ? wait : .zero)
      + (policies.hardLimit ?? policies.softLimit ?? .zero) + policies.lateAfter
  }

  /// The longest time from one tick to the next, among the first of them.
  private var longestPause: Duration {
    var (last, longest, number) = (Self.reference, Duration.zero, 0)
    while number < Self.ticks || last - Self.reference < Self.span,
      let next = schedule.nextRun(after: last)
    {
      if number > 0 { longest = max(longest, next - last) }
      (last, number) = (next, number + 1)
    }
    return longest
  }

  /// The longest time from the beginning of a day to the next tick, among the days of some years.
  ///
  /// Holidays and months without a tick lie behind more ticks than can be looked at one by one. They are left out
  /// by whole days of the schedule's zone, so that none of them begins inside a day.
  private var longestWait: Duration {
    let zone = schedule.zone
    var (day, longest) = (zone.localDay(of: Self.reference), Duration.zero)
    for _ in 0..<Self.days {
      let start = zone.startOfDay(day)
      guard let next = schedule.nextRun(after: start) else { break }
      longest = max(longest, next - start)
      day = day.advanced(by: 1)
    }
    return longest
  }

  /// Where ticks are looked at: the same settings make the same rules, on whatever day.
  private static let reference = Instant(secondsSince1970: 1_767_225_600)
  private static let ticks = 400

  /// A week and a day, whatever the schedule: a job may sleep at night, or from Friday to Monday.
  private static let span = Duration.seconds(8 * 86_400)

  /// Five years, one of them a leap year: holidays are often written as dates, each year's anew.
  private static let days = 5 * 365 + 1
}

extension Duration {
  fileprivate var seconds: Int64 { components.seconds }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self
    while text.last?.isNewline ?? false { text.removeLast() }
    return text
  }
}
