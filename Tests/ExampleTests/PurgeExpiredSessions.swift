import JobKit
import Postgres

/// Deletes sessions a month past their end, a thousand at a time.
///
/// Small batches keep each transaction short, so logins never wait on this job.
struct PurgeExpiredSessions: Job {
  let definition = JobDefinition(
    name: "purge_expired_sessions", purpose: "deletes sessions a month past their end",
    schedule: .cron("30 3 * * *"), policies: policies, parts: 2,
    arguments: [JobArgument("batch", "deletes so many at a time")])

  /// A million sessions at once would be a mistake in a `WHERE`: somebody should look first.
  private static var policies: Policies {
    var policies = Policies()
    policies.bounds.most = 1_000_000
    return policies
  }

  func plan(_ context: borrowing JobContext) throws -> Int? {
    let expired = expired(in: context, share: "true")
    return try context.query("SELECT count(*) FROM public.session WHERE \(expired)").only[0]
  }

  func run(_ context: inout JobContext) throws -> Outcome {
    let expired = expired(in: context, share: context.share(of: "user_id"))
    let batch = Int(context.arguments["batch"] ?? "") ?? 1000
    try context.inChunks { connection, progress in
      let deleted = try connection.run(
        """
        DELETE FROM public.session
        WHERE id IN (SELECT id FROM public.session WHERE \(expired) LIMIT \(batch))
        """
      ).affected
      progress.done += deleted
      progress.counters.count("deleted", deleted)
      return deleted < batch ? .finished : .more
    }
    return Outcome("deleted \(context.progress.done) sessions")
  }

  /// What is expired is judged as of the run's own moment, so a late run deletes the same sessions.
  private func expired(in context: borrowing JobContext, share: Statement) -> Statement {
    "ended_at < \(context.scheduledFor)::timestamptz - interval '1 month' AND \(share)"
  }
}
