internal import Config
internal import JobKit
internal import Migrations
internal import Synchronization

/// What the author of a program adds to it: jobs, the settings that they go by, and schemas of tables of their own.
struct Composition: Sendable {
  let jobs: @Sendable (RuleBook) throws -> [any Job]
  var rules: [AnyRule] = []
  var schemas: [Schema] = []

  /// That of this process, which its first line decides; else nothing is added.
  static var current: Composition { stored.withLock { $0 } }

  private static let stored = Mutex(Composition(jobs: { _ in [] }))

  static func begin(_ composition: Composition) {
    stored.withLock { $0 = composition }
  }
}
