import Postgres

/// How Postgres is to plan the statements of a transaction.
///
/// As long as a first run fills a table nothing is known of it, and a plan is kept that was made while it was
/// empty.
enum PlanSettings {
  /// By indexes alone, each learner asked for once.
  ///
  /// What was found need not be remembered. A plan of an empty table would read all of it for each learner, or
  /// each chunk, anew.
  static let byIndex: Statement = """
    SELECT set_config('enable_memoize', 'off', true), set_config('enable_seqscan', 'off', true)
    """

  /// By indexes alone, and each row by its key.
  ///
  /// Where few rows are asked for among many, the other ways to join read an index from its beginning for every
  /// chunk: what a first run takes would grow with the square of the learners.
  static let byKey: Statement = """
    SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
      set_config('enable_memoize', 'off', true), set_config('enable_seqscan', 'off', true)
    """
}
