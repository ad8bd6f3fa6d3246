internal import Push

/// What this process knows at a moment of the providers that bring its pushes.
struct PushSnapshot {
  let providers: [(place: PushPlace, figures: ProviderFigures)]

  /// The journal of the process, where there is one.
  let journal: JournalFigures?

  /// How many pushes each part of a run has in hand at most.
  let window: Int?

  /// Where a daemon answers with it.
  static let path = "/push/providers"
}
