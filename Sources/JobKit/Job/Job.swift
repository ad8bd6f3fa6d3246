/// A batch job: a value that says when it runs, and one function that does its work.
///
/// A job is told the moment it works for and reads no clock, so a late or repeated run does the same
/// work. It works in chunks: each is one short transaction that commits the work, where to go on, and
/// the counters together, so a run that is killed goes on where the last chunk ended.
public protocol Job: Sendable {
  var definition: JobDefinition { get }

  /// Whether it does anything but by the connection that it is given: such code runs in no simulation.
  var hasExternalEffects: Bool { get }

  /// How many items the run is about to touch, found without touching any; nothing when the job has
  /// no such number.
  ///
  /// It is asked before the first effect of a run, by whoever takes its first part or one at the same
  /// moment, and held against the job's bounds; once a part has written anything these bind the run no more.
  func plan(_ context: borrowing JobContext) throws -> Int?

  /// Why a run that would touch `planned` has to wait for approval although it is within the job's bounds.
  ///
  /// It is asked after ``plan(_:)``, and like it without touching anything.
  func objection(to planned: Int, _ context: borrowing JobContext) throws -> String?

  /// Does the work of one part of a run; returns what there is to say about it.
  func run(_ context: inout JobContext) throws -> Outcome
}

extension Job {
  public var hasExternalEffects: Bool { true }

  public func plan(_ context: borrowing JobContext) throws -> Int? { nil }

  public func objection(to planned: Int, _ context: borrowing JobContext) throws -> String? { nil }
}

/// What a job says of a part that it has finished.
public struct Outcome: Sendable, Equatable {
  /// What came of the run, for people: `deleted 17 drafts`.
  public let summary: String

  /// The outcome of a run that succeeded, in words.
  public init(_ summary: String) {
    self.summary = summary
  }
}
