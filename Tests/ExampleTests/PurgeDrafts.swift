import JobKit
import Postgres

/// Deletes drafts a week past their last edit.
struct PurgeDrafts: Job {
  let definition = JobDefinition(
    name: "purge_drafts", purpose: "deletes old drafts", schedule: .cron("30 3 * * *"))

  func run(_ context: inout JobContext) throws -> Outcome {
    let limit: Statement = "\(context.scheduledFor)::timestamptz - interval '1 week'"
    try context.inChunks(of: ChunkSize(from: 1000, upTo: 8000)) { connection, progress, most in
      let old: Statement = "SELECT id FROM public.draft WHERE edited_at < \(limit) LIMIT \(most)"
      let deleted = try connection.run("DELETE FROM public.draft WHERE id IN (\(old))").affected
      progress.done += deleted
      return deleted < most ? .finished : .more
    }
    return Outcome("deleted \(context.progress.done) drafts")
  }
}
