internal import JobKit
internal import Ledger
internal import LocalTime
internal import Runner
internal import Settings
internal import Web

/// What the settings come to: on which ways people are told, and whom the daemon calls.
enum ProgramNotifier {
  /// What a daemon tells, and how.
  static func notifierSettings(of loaded: LoadedSettings, log: Log) -> NotifierSettings {
    let notify = loaded.settings.notify
    let jobs = ProgramJobs.scheduled(loaded)
    var notifierSettings = NotifierSettings(
      watch: watch(of: loaded.settings, jobs: jobs.map(\.name)))
    notifierSettings.channels = channels(of: notify, log: log)
    if let receiver = receiver(notify.ping, credential: "notify_ping") {
      notifierSettings.ping = { () throws(DeliveryError) in try call(receiver, within: notify.limit)
      }
    }
    notifierSettings.pingEvery = notify.pingEvery
    let schedules = jobs.filter(\.isEnabled)
    notifierSettings.next = { name, now in
      schedules.first { $0.name.text == name }?.schedule.nextRun(after: now)
    }
    return notifierSettings
  }

  private static func call(_ receiver: Receiver, within limit: Duration) throws(DeliveryError) {
    try receiver.expectSuccess { url throws(WebFailure) in
      try WebRequest.get(url, within: limit).send()
    }
  }

  private static func watch(of settings: Settings, jobs: [JobName]) -> NoticeWatch {
    var watch = NoticeWatch(jobs: jobs)
    watch.silent = settings.jobs.filter { !$0.notifies }.map(\.name)
    watch.events = settings.notify.events
    watch.lateAfter = Dictionary(
      settings.jobs.map { ($0.name, $0.policies.lateAfter) },
      uniquingKeysWith: { first, _ in first })
    watch.pausedAfter = settings.notify.pausedAfter
    watch.againAfter = settings.notify.againAfter
    return watch
  }

  /// The ways on which a message goes out.
  static func channels(of notify: NotifySettings, log: Log) -> [any Channel] {
    var channels: [any Channel] = []
    if !notify.command.isEmpty {
      channels.append(CommandChannel(command: notify.command, limit: notify.limit, log: log))
    }
    if let receiver = receiver(notify.webhook, credential: "notify_webhook") {
      channels.append(WebhookChannel(receiver: receiver, limit: notify.limit))
    }
    return channels
  }

  /// Refuses a file without an address where one is to be told or called; nobody is asked there.
  static func requireAddresses(of notify: NotifySettings) throws(UnusableAddress) {
    for (name, place) in [("webhook", notify.webhook), ("ping", notify.ping)] {
      guard let reason = receiver(place, credential: "notify_\(name)")?.objection else { continue }
      throw UnusableAddress(description: "'notify.\(name)_file' cannot be used: \(reason)")
    }
  }

  /// Whoever the settings name, or else a file that systemd has left.
  private static func receiver(_ place: AddressPlace?, credential: String) -> Receiver? {
    if let place { return Receiver(place: place) }
    guard let folder = Environment["CREDENTIALS_DIRECTORY"] else { return nil }
    let path = "\(folder)/\(credential)"
    return FileText.isThere(path) ? Receiver(place: .file(path)) : nil
  }
}

/// Why nobody can be told or called at an address that stands in a file; shows nothing of it.
struct UnusableAddress: EndingError {
  let description: String
  var exitCode: ExitCode { .configuration }
}
