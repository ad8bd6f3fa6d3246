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

  /// In the order of an index, from where the last chunk stopped.
  ///
  /// Of the rows of a part Postgres expects one in two hundred: it would read all that are left for every chunk of
  /// them, with a second process, and sort those that it finds.
  static let inOrder: Statement = """
    SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
      set_config('max_parallel_workers_per_gather', '0', true)
    """
}
