/// How a job's ticks and runs are treated: declared by the job, tuned by the settings.
public struct Policies: Sendable, Hashable {
  /// What becomes of ticks that were missed.
  public var catchUp = CatchUp()
  /// What becomes of a tick whose run would begin while another is not over.
  public var overlap = Overlap.skip
  /// How often a part that failed is tried again, and after how long.
  public var retry = Retry()

  /// How long after its moment a run may still start; later it is missed.
  public var startWithin: Duration = .seconds(3600)

  /// How far a run may be put off, by a fixed share of it that depends on the job's name alone.
  public var jitter: Duration = .zero

  /// Which runs go first: the higher.
  public var priority = 0

  /// After how long a run is asked to stop at its next chunk, and after how long it is cut off.
  public var softLimit: Duration?
  /// After how long a run is cut off; nil for never.
  public var hardLimit: Duration?

  /// How long a tick may wait to be decided and begun before somebody should hear of it.
  public var lateAfter: Duration = .seconds(300)

  /// How many items a run may touch before somebody has to approve of it.
  public var bounds = Bounds()

  /// How many parts of the job may run at once, on all hosts together; nothing means any number.
  public var parallelParts: Int?

  /// How many parts of one run a worker takes at once: more than one when each is tiny.
  public var batch = 1

  /// Whether its past may be run again: never for what reaches people, such as a push.
  public var mayBackfill = true

  /// The policies that hold unless a definition or the settings say otherwise.
  public init() {}
}
