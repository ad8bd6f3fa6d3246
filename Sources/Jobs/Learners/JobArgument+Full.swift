import JobKit

extension JobArgument {
  /// For jobs that look only at learners of whom there is news.
  static let full = JobArgument(
    "full", "looks at every learner, not only at those with news", choices: ["true", "false"])
}
