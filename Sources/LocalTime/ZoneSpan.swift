/// A stretch of time during which a zone keeps one offset, known by its beginning.
struct ZoneSpan: Sendable, Hashable {
  /// Seconds since 1970.
  let start: Int
  /// Seconds east of UTC.
  let offset: Int

  /// Where the first span of every zone begins: before any instant there is.
  static let beginning = -1 << 59
  /// Where the last span of a zone without a rule ends.
  static let end = 1 << 59
}

extension [ZoneSpan] {
  /// The same spans, with neighbours of equal offset made one.
  ///
  /// Of two changes at one instant the later in the list holds.
  func merged() -> [ZoneSpan] {
    var merged = [ZoneSpan]()
    for span in self {
      if merged.last?.start == span.start { merged.removeLast() }
      if merged.last?.offset != span.offset { merged.append(span) }
    }
    return merged
  }
}
