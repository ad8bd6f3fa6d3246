public import JobKit

/// A job in the place of one that is not to be run: it has its name and does nothing.
public struct NoWork: Job {
  public let definition: JobDefinition
  public let hasExternalEffects = false

  public init(of definition: JobDefinition) {
    self.definition = definition
  }

  public func run(_ context: inout JobContext) -> Outcome {
    Outcome("nothing was done")
  }
}
