public import JobKit
internal import LocalTime

/// What a daemon tells people of, as its settings say.
public struct NoticeWatch: Sendable, Equatable {
  /// The jobs that it speaks for: those that it has code for.
  public let jobs: [JobName]

  /// Those of them that nobody is told of.
  public var silent: [JobName] = []
  public var events = NoticeEvent.settable
  public var pausedAfter = Pause.forgottenAfter
  public var againAfter = Duration.seconds(300)

  /// How long after its moment a run of a job that has not begun is late; five minutes where none is set.
  public var lateAfter: [JobName: Duration] = [:]

  public init(jobs: [JobName]) {
    self.jobs = jobs
  }

  /// The same in seconds, for each of ``jobs``.
  var lateSeconds: [Double] { jobs.map { (lateAfter[$0] ?? .seconds(300)) / .seconds(1) } }
}
