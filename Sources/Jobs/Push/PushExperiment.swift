import JobKit
internal import Migrations

/// Which variant of a template's text each learner gets, always the same one.
public struct PushExperiment: Sendable, Equatable {
  public let name: String
  public let template: PushTemplate
  public let variants: [Variant]

  /// A variant, and its share beside those of the others.
  public struct Variant: Sendable, Equatable {
    public let name: String
    public let share: Int
  }

  /// An experiment of these variants, in their order; a share below 1 is none.
  public init(
    _ name: String, on template: PushTemplate, variants: KeyValuePairs<String, Int>
  ) {
    self.name = name
    self.template = template
    self.variants = variants.map { Variant(name: $0.key, share: max(0, $0.value)) }
  }

  /// The learner's variant, or nothing where no variant has a share.
  public func variant(for learner: Int) -> String? {
    let whole = variants.reduce(0) { $0 + $1.share }
    guard whole > 0 else { return nil }
    var place = Int(StableHash.of("\(learner) \(name)") % UInt64(whole))
    for variant in variants {
      if place < variant.share { return variant.name }
      place -= variant.share
    }
    return nil
  }
}
