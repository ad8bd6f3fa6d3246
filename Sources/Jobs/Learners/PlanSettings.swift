import Postgres

/// How Postgres is to plan the statements of a transaction.
enum PlanSettings {
  /// By indexes alone, each learner asked for once.
  ///
  /// What was found need not be remembered. As long as a first run fills a table nothing is known of it, and a
  /// plan that was made while it was empty would read all of it for each learner, or each chunk, anew.
  static let byIndex: Statement = """
    SELECT set_config('enable_memoize', 'off', true), set_config('enable_seqscan', 'off', true)
    """
}
