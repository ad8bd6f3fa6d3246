package import Config
package import JobKit

/// A job of the learning app, as its settings make it.
package protocol LearningJob: Job {
  /// What the settings may change of it, in the order in which they are shown.
  static var settings: [AnyRule] { get }

  init(_ book: RuleBook, _ services: LearningServices)
}

/// What jobs get from the program besides their rules, each thing by its type.
///
/// A job that asks for something which is not there does without: no push leaves the process, for example.
package struct LearningServices: Sendable {
  private var services: [ObjectIdentifier: any Sendable] = [:]

  package init() {}

  package subscript<Service: Sendable>(_ type: Service.Type) -> Service? {
    get { services[ObjectIdentifier(type)] as? Service }
    set { services[ObjectIdentifier(type)] = newValue }
  }
}
