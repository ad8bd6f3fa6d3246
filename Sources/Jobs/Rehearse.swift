#if DEBUG
  public import JobKit
  import Postgres

  /// A job for rehearsals, in debug builds only: its effects can be counted, so whatever is killed when,
  /// a test can tell what was lost and what was doubled.
  public struct Rehearse: Job {
    public init() {}

    public var definition: JobDefinition {
      JobDefinition(
        name: "rehearse", purpose: "leaves one row for each of its chunks",
        schedule: .every(.seconds(1)), parts: 2)
    }

    public let hasExternalEffects = false

    private static let chunks = 5

    public func run(_ context: inout JobContext) throws -> Outcome {
      let (tick, part) = (context.scheduledFor, context.part.number)
      try context.inChunks { connection, progress in
        // Who goes on where another was lost after its last chunk finds nothing left.
        guard progress.done < Self.chunks else { return .finished }
        let chunk = progress.done + 1
        // Long enough that whoever kills at random hits a chunk now and then.
        try connection.run("SELECT pg_sleep(0.02)")
        try connection.run(
          "INSERT INTO public.rehearsal (moment, part, chunk) VALUES (\(tick), \(part), \(chunk))"
        )
        progress.done = chunk
        progress.total = Self.chunks
        progress.cursor = "\(chunk)"
        progress.counters.count("chunks")
        return chunk < Self.chunks ? .more : .finished
      }
      return Outcome("rehearsed")
    }
  }
#endif
