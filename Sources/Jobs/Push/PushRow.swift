import LocalTime

/// What was decided for a day, as far as it bears on what is decided next.
struct PushRow: Sendable, Equatable {
  let day: CivilDate
  let state: PushState
  let kind: PushKind
  let plannedAt: Instant

  /// The end of the study that its window follows.
  let evidence: Instant?

  /// When its window is over; nothing: there was no time for it.
  let windowTo: Instant?

  /// When it was sent, as far as anybody knows.
  let handedAt: Instant?
}
