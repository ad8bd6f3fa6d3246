internal import Jobs

extension ProviderRules {
  /// The table of each provider that is enabled, with the file of the authorities that it names.
  var authorities: [(table: String, file: String?)] {
    [
      ("push.apns", apple.map(\.way.authorities)), ("push.fcm", google.map(\.way.authorities)),
      ("push.webhook", webhook.map(\.authorities)),
    ].compactMap { table, file in file.map { (table: table, file: $0) } }
  }

  /// What keeps such a file from being read, where pushes go to providers.
  var authoritiesFault: PushKeyFault? {
    guard isUsed else { return nil }
    for (table, file) in authorities {
      guard let file, let reason = FileText.objection(toReading: file) else { continue }
      return PushKeyFault(
        "'\(table).authorities' cannot be used: cannot read '\(file)': \(reason)")
    }
    return nil
  }
}
