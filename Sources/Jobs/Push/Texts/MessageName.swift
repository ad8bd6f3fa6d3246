/// Which of a locale's messages.
struct MessageName: Hashable, Sendable {
  let template: PushTemplate

  /// Nothing where learners are not split between variants.
  let variant: String?

  /// Every one that there has to be under these experiments, in the order in which people read them.
  static func all(under experiments: [PushExperiment]) -> [MessageName] {
    PushTemplate.allCases.flatMap { template in
      let variants = experiments.filter { $0.template == template }.flatMap(\.variants).map(\.name)
      return variants.isEmpty
        ? [MessageName(template: template, variant: nil)]
        : variants.map { MessageName(template: template, variant: $0) }
    }
  }

  /// Where it stands in a file.
  var path: [String] { [template.rawValue] + (variant.map { [$0] } ?? []) }
}
