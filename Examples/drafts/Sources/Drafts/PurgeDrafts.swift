import JobKit
import LocalTime
import Postgres

/// Deletes drafts that nobody has edited for a while.
public struct PurgeDrafts: Job {
  public let definition = JobDefinition(
    name: "purge_drafts", purpose: "deletes old drafts", schedule: .cron("30 3 * * *"))
  private let rules: DraftRules

  public init(_ rules: DraftRules = DraftRules()) {
    self.rules = rules
  }

  public func run(_ context: inout JobContext) throws -> Outcome {
    let limit = context.scheduledFor - rules.kept
    try context.inChunks(of: ChunkSize(from: 1000, upTo: 8000)) { connection, progress, most in
      let deleted = try connection.run(
        """
        DELETE FROM public.draft WHERE id IN
          (SELECT id FROM public.draft WHERE edited_at < \(limit)::timestamptz LIMIT \(most))
        """
      ).affected
      progress.done += deleted
      return deleted < most ? .finished : .more
    }
    return Outcome("deleted \(context.progress.done) drafts")
  }
}
