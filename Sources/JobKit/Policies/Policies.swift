/// How a job's ticks and runs are treated: declared by the job, tuned by the settings.
public struct Policies: Sendable, Hashable {
  public var catchUp = CatchUp()
  public var overlap = Overlap.skip
  public var retry = Retry()

  /// How long after its moment a run may still start; later it is missed.
  public var startWithin: Duration = .seconds(3600)

  /// How far a run may be put off, by a fixed share of it that depends on the job's name alone.
  public var jitter: Duration = .zero

  /// Which runs go first: the higher.
  public var priority = 0

  /// How many of its parts run at once, on all hosts together; nil: as many as there are workers.
  public var parallelParts: Int?

  /// After how long a run is asked to stop at its next chunk, and after how long it is cut off.
  public var softLimit: Duration?
  public var hardLimit: Duration?

  /// Whether a range of the past may be run again: never for what people notice, such as pushes.
  public var allowsBackfill = true

  public init() {}
}
