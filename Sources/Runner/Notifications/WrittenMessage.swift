public import Config
public import Ledger
public import LocalTime

/// A message in words: what happened, on what, why, what happens next, and what to do about it.
public struct WrittenMessage: Sendable, Equatable {
  public let message: NoticeMessage

  /// The daemon that tells it.
  public let sender: String

  /// When the job runs next, if it does.
  public let next: Instant?

  public init(_ message: NoticeMessage, from sender: String, next: Instant?) {
    (self.message, self.sender, self.next) = (message, sender, next)
  }
}

extension WrittenMessage {
  /// What happened, in a line.
  public var title: String {
    let (job, times) = (message.job, message.times)
    return switch message.event {
    case .failed: times == 1 ? "\(job) failed" : "\(job) failed \(times) times"
    case .missed: times == 1 ? "\(job) missed a tick" : "\(job) missed \(times) ticks"
    case .outage:
      "\(message.outage?.hadDaemon == true ? "nothing was decided" : "no daemon ran") for"
        + " \(length.written): \(times == 1 ? "a tick was" : "\(times) ticks were") missed"
    case .held: "\(job) waits for approval"
    case .blocked: "\(job) cannot run"
    case .pausedTooLong: "\(job) is still paused"
    case .late: times == 1 ? "\(job) is late" : "\(job) is late with \(times) runs"
    case .recovered:
      "\(job) succeeded again after \(times == 1 ? "a failure" : "\(times) failures")"
    case .test: "a test: messages of the worker arrive"
    }
  }

  /// The whole message, a fact on each line.
  public var text: String {
    ([title, when] + why + [whatNext] + commands.map { "do: \($0)" }).joined(separator: "\n")
  }

  private var when: String {
    let (first, last) = (Self.second(message.firstAt), Self.second(message.lastAt))
    let span = first == last ? "at \(first)" : "from \(first) to \(last)"
    switch message.event {
    case .pausedTooLong, .blocked: return "since \(first)"
    case .recovered: return "it had failed \(span)"
    case .outage where back >= .seconds(1):
      return "\(span), but for \(back.written) in which a daemon was back and decided ticks"
    default: break
    }
    guard let run = message.run else { return span }
    return message.times == 1 ? "run \(run), \(span)" : "\(span), the latest is run \(run)"
  }

  /// From the first to the last moment that it tells of.
  private var whole: Duration { Self.second(message.lastAt) - Self.second(message.firstAt) }

  /// How long an outage was.
  private var length: Duration { message.outage.map { min($0.length, whole) } ?? whole }

  /// For how long of it a daemon was back.
  private var back: Duration { whole - length }

  private var why: [String] {
    let label = message.event == .outage ? "missed" : "why"
    return message.reason.map { ["\(label): \(PublicReason($0).text)"] } ?? []
  }

  private var whatNext: String {
    let next = next.map { "runs next at \($0)" } ?? "has no next run"
    return switch message.event {
    case .failed: "next: what failed is not tried again by itself; the job \(next)"
    case .missed: "next: what was missed is not run; the job \(next)"
    case .outage:
      "next: the daemons decide again; a job makes missed ticks good as its setting 'missed' says"
    case .held: "next: nothing until somebody decides; the ticks of the job are skipped"
    case .blocked: "next: its ticks are skipped until that is right; then it goes on by itself"
    case .pausedTooLong: "next: its ticks are skipped until somebody resumes it"
    case .late: "next: it runs as soon as a worker is free, or is missed when it waits too long"
    case .recovered: "next: the job \(next)"
    case .test: "next: nothing, all is well"
    }
  }

  /// What to type to see more, or to decide.
  public var commands: [String] {
    let run = message.run.map { "\($0)" } ?? ""
    return switch message.event {
    case .failed: ["worker show \(run)", "worker retry \(run)"]
    case .missed:
      [missedRuns(of: message.job, from: message.firstAt, through: message.lastAt), "worker ps"]
    case .outage: outageCommands
    case .held:
      [
        "worker show \(run)", "worker run \(message.job) --dry-run", "worker approve \(run)",
        "worker cancel \(run)",
      ]
    case .blocked: ["worker doctor --only tables", "worker jobs"]
    case .pausedTooLong: ["worker jobs", "worker resume \(message.job)"]
    case .late: ["worker show \(run)", "worker ps"]
    case .recovered: ["worker runs \(message.job)"]
    case .test: []
    }
  }

  /// What shows all ticks that were missed in an outage, and none beside.
  private var outageCommands: [String] {
    let (start, end) = (Self.second(message.firstAt), Self.second(message.lastAt))
    let ticks = message.outage?.ticks ?? start...end
    // An audit begins behind its first instant.
    let from = min(start, Self.second(ticks.lowerBound) - .seconds(1))
    return [
      "worker audit --from \(from) --to \(max(end, Self.second(ticks.upperBound)))",
      "\(missedRuns(from: ticks.lowerBound, through: ticks.upperBound)) --text '\(MissReason.cause)'",
    ]
  }

  private func missedRuns(
    of job: String? = nil, from first: Instant, through last: Instant
  ) -> String {
    let end = Self.second(last) + .seconds(1)
    let command = "worker runs\(job.map { " \($0)" } ?? "") --state missed"
    let limit = message.times > 50 ? " --limit \(min(message.times, 10_000))" : ""
    return "\(command) --since \(Self.second(first)) --until \(end)\(limit)"
  }

  private static func second(_ instant: Instant) -> Instant {
    Instant(secondsSince1970: instant.secondsSince1970)
  }
}

/// The message for programs.
extension WrittenMessage {
  /// The job that it is about; nothing when it is about none, or about all.
  private var job: String? { [.test, .outage].contains(message.event) ? nil : message.job }

  public var json: JSON {
    [
      "id": .integer(message.id), "event": .string(message.event.rawValue),
      "job": JSON(job),
      "run": message.run.map { .integer($0) } ?? nil, "times": .integer(message.times),
      "first_at": .string(message.firstAt.description),
      "last_at": .string(message.lastAt.description),
      "reason": JSON(message.reason.map { PublicReason($0).text }), "next": JSON(next?.description),
      "title": .string(title), "text": .string(text),
      "commands": .array(commands.map { .string($0) }), "sender": .string(sender),
    ]
  }

  /// The variables of a program that is run with the message.
  public var variables: [(name: String, value: String)] {
    [
      ("WORKER_MESSAGE", "\(message.id)"), ("WORKER_EVENT", message.event.rawValue),
      ("WORKER_JOB", job ?? ""),
      ("WORKER_RUN", message.run.map { "\($0)" } ?? ""), ("WORKER_TIMES", "\(message.times)"),
      ("WORKER_TITLE", title), ("WORKER_TEXT", text),
    ]
  }
}
