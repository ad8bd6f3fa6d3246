public import JobKit
public import LocalTime
public import Postgres

/// A job that can say in plain words what it did for learners in a period.
public protocol Reporter: Job {
  /// The jobs whose runs count what this one reports: itself, and others that do the same beside their own.
  var countedBy: [JobName] { get }

  /// Says what came of the job in a period; `counted` is what the runs of `countedBy` counted.
  ///
  /// It is called for the period and for the one before, so that the two can be compared.
  func report(
    on period: Range<Instant>, counted: Counters, at now: Instant,
    _ connection: borrowing Connection
  ) throws -> LearnerReport
}

extension Reporter {
  public var countedBy: [JobName] { [definition.name] }
}

/// What a job did for learners: a heading, and a number for each thing that it did.
public struct LearnerReport: Sendable, Equatable {
  public let title: String
  public let numbers: [Number]

  /// How things stand, beside what was done.
  public let remark: String?

  public init(_ title: String, _ numbers: [Number], remark: String? = nil) {
    (self.title, self.numbers, self.remark) = (title, numbers, remark)
  }

  public struct Number: Sendable, Equatable {
    /// What was counted, in words that follow the number, such as "sent".
    public let what: String
    public let count: Int

    /// The number of the report that this one is a part of, by what that counts.
    public let whole: String?

    public init(_ count: Int, _ what: String, of whole: String? = nil) {
      (self.count, self.what, self.whole) = (count, what, whole)
    }
  }
}
