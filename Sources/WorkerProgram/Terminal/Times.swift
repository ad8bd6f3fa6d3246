internal import JobKit
internal import Ledger
internal import LocalTime

/// Instants as people read them: by the clocks of one zone, whose offset a heading says once.
struct Times: Sendable {
  let zone: Zone
  let now: Instant

  /// What the heading of a column of times says of them: `+09:00`, or `UTC`.
  var offset: String { zone.name == Zone.utc.name ? zone.name : zone.offsetText(at: now) }

  /// A column of times, which says their offset.
  func column(_ name: String, rank: Int = 0, isKeptLonger: Bool = false) -> Table.Column {
    Table.Column(name, rank: rank, remark: offset, isKeptLonger: isKeptLonger)
  }

  /// An instant with how far away it is: `15:45 (in 5 min)`, with the date where that is not today.
  func text(_ instant: Instant?) -> String {
    guard let instant else { return "" }
    return "\(clock(instant)) (\(Self.distance(from: now, to: instant)))"
  }

  /// An instant alone: `15:45`, with the date where that is not today.
  ///
  /// Where clocks have changed in between, its offset is another than that of the heading: then it says so.
  func clock(_ instant: Instant) -> String {
    let isToday = zone.localDay(of: instant) == zone.localDay(of: now)
    return isToday ? time(instant) : dated(instant)
  }

  /// An instant with its date: `2026-03-08 15:45`.
  func dated(_ instant: Instant) -> String { "\(zone.localDay(of: instant)) \(time(instant))" }

  private func time(_ instant: Instant) -> String {
    let isOther = zone.offset(at: instant) != zone.offset(at: now)
    return zone.local(at: instant).timeOfDay + (isOther ? zone.offsetText(at: instant) : "")
  }

  /// An instant that stands under no heading: `15:45 (+09:00)`, or `15:45 (UTC)`.
  func alone(_ instant: Instant) -> String {
    let then = Times(zone: zone, now: instant)
    let isToday = zone.localDay(of: now) == zone.localDay(of: instant)
    return
      "\(isToday ? "" : "\(zone.localDay(of: instant)) ")\(then.clock(instant)) (\(then.offset))"
  }

  /// How far an instant is away: `in 5 min`, `2 h 10 min ago`.
  static func distance(from now: Instant, to instant: Instant) -> String {
    instant > now ? "in \(rounded(instant - now))" : "\(rounded(now - instant)) ago"
  }

  /// A duration as one says it: in whole minutes from a minute on.
  private static func rounded(_ duration: Duration) -> String {
    let seconds = Int(duration.components.seconds)
    guard seconds >= 60 else { return "\(seconds) s" }
    return RelativeTime.text(.seconds((seconds + 30) / 60 * 60))
  }
}

extension Zone {
  /// The offset of clocks here, as in `+09:00`.
  fileprivate func offsetText(at instant: Instant) -> String {
    let text = Instant(secondsSince1970: instant.secondsSince1970).text(in: self)
    return text.last == "Z" ? "+00:00" : String(text.suffix(6))
  }
}

extension Pause {
  /// Whose it is, since when, until when and why, as one goes on from "paused by"; with instants as `write`
  /// writes them.
  func account(_ write: (Instant) -> String) -> String {
    let end = until.map { " until \(write($0))" } ?? ", until somebody resumes it"
    return "\(author) since \(write(since))\(end): \(reason)"
  }
}
