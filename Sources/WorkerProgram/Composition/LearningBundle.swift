internal import Config
internal import JobKit
internal import Jobs
internal import Migrations
internal import Push
internal import Runner
internal import Settings

/// The learning app: its jobs, the rules they go by, its schema, and the way that its pushes take.
///
/// Its commands, checks and alerts stand beside those of the runner and ask ``LearningApp`` whether they are shown.
enum LearningBundle {
  static var schemas: [Schema] { LearningApp.whenOn([.learning]) }
  static var rules: [AnyRule] { LearningApp.whenOn(learningSettings) }
  static var definitions: [JobDefinition] { LearningApp.whenOn(learningDefinitions) }

  /// The switch in the settings; a program that was composed without the app has none.
  static var switches: [AppSwitch] {
    guard LearningApp.state != .absent else { return [] }
    var app = learningApp
    app.isIncluded = LearningApp.isOn
    return [app]
  }

  /// The names of its jobs, as examples of commands have them.
  static let words = Set(learningDefinitions.map(\.name.text))

  /// What became of pushes while the database was away outlasts a change of the settings.
  private static let unwritten = UnwrittenReports()

  /// The jobs as the settings want them; without a transport, no push leaves the process.
  static func jobs(
    of settings: Settings, pushingThrough transport: (any PushTransport)? = nil
  ) throws -> [any Job] {
    guard LearningApp.isOn else { return [] }
    var services = LearningServices()
    services[(any PushTransport).self] = transport
    services[MessageCatalogue.self] = try Messages.read(settings)
    services[UnwrittenReports.self] = unwritten
    services[[JobName: Schedule].self] =
      Dictionary(uniqueKeysWithValues: settings.jobs.map { ($0.name, $0.schedule) })
    return withRehearsal(learningJobs(by: settings.rules, with: services))
  }

  /// The code of its jobs by the rules that hold by default.
  static var standard: [any Job] { LearningApp.whenOn(withRehearsal(learningJobs())) }

  private static func withRehearsal(_ jobs: [any Job]) -> [any Job] {
    #if DEBUG
      return Environment["WORKER_REHEARSAL"] == nil ? jobs : jobs + [Rehearse()]
    #else
      return jobs
    #endif
  }

  /// The job that sends pushes.
  static let deliverer = DeliverPushes(through: NoTransport(), saying: .builtIn).definition.name

  /// The way that pushes take: to the providers of their devices, into the log of the process, or to the file of
  /// the settings; none where the app is off.
  static func transport(_ settings: Settings) throws -> (any PushTransport)? {
    guard LearningApp.isOn else { return nil }
    let providers = ProviderRules(settings.rules)
    guard !providers.isUsed else {
      return try PushProviders.transport(
        providers, window: DeliveryRules(settings.rules).window)
    }
    PushProviders.letGo()
    guard let file = PushPlaces(settings.rules).log else {
      return PushLog(inLogWith: settings.log).transport
    }
    return try PushLog(appendingTo: file).transport
  }
}

extension Command {
  /// The examples that can be typed: those with a job of the learning app only where it is on.
  var shownExamples: [(line: String, shows: String)] {
    examples.filter { line, _ in
      LearningApp.isOn
        || !line.split(separator: " ").contains { LearningBundle.words.contains(String($0)) }
    }
  }
}
