internal import JobKit
internal import LocalTime

/// An instant as people write it: exact, by a clock on the wall, or by how far it is away.
struct WrittenInstant {
  let text: String
  let zone: Zone
  let now: Instant

  /// Whether a bare length such as `2h` is counted from now on, as for an end, not back.
  var isToCome = false

  /// What can be written, for the help.
  static let forms = "an instant, a local date or time, yesterday, today, or a while ago such as 2h"

  /// The same of an instant to come.
  static let formsToCome = "an instant, a local date or time, tomorrow, or a while such as 2h"

  /// Why it is no instant, as one goes on from the option.
  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  func read() throws(Refused) -> Instant {
    if let instant = relative { return instant }
    do throws(TimeTextError) {
      if let date = day { return zone.startOfDay(date) }
      return try exact()
    } catch .notAnInstant {
      return try local()
    } catch {
      throw Refused(description: "\(error)")
    }
  }

  /// `now`, `in 2h`, `2h ago`, or `2h`, which is one of the two.
  private var relative: Instant? {
    let words = text.split(separator: " ").map { $0.lowercased() }
    switch (words.first, words.last, words.count) {
    case ("now", _, 1): return now
    case ("in", let length?, 2): return Duration(written: length).map { now + $0 }
    case (let length?, "ago", 2):
      return Duration(written: length).map { now - $0 }
    case (let length?, _, 1):
      return Duration(written: length).map { isToCome ? now + $0 : now - $0 }
    default: return nil
    }
  }

  /// The day that a word names, as clocks in the zone have it.
  var day: CivilDate? {
    let today = zone.localDay(of: now)
    switch text.lowercased() {
    case "yesterday": return zone.previousDay(before: today)
    case "today": return today
    case "tomorrow": return today.advanced(by: 1)
    default: return nil
    }
  }

  private func exact() throws(TimeTextError) -> Instant {
    // A space is what people write between the day and the time.
    let written = text.replacing(" ", with: "T", maxReplacements: 1)
    do throws(TimeTextError) {
      return zone.startOfDay(try CivilDate(text))
    } catch .notADate {
      return try Instant(written)
    }
  }

  /// What clocks on the wall show at one instant only: a time that comes twice, or never, is refused.
  private func local() throws(Refused) -> Instant {
    let wall: LocalDateTime
    do throws(TimeTextError) {
      wall = try LocalDateTime(text.replacing(" ", with: "T", maxReplacements: 1))
    } catch .notALocalTime {
      throw Refused(
        description: "write 2026-03-08T07:00:00Z, a local date or time such as 2026-03-08 or"
          + " '2026-03-08 02:00', \(isToCome ? "tomorrow" : "yesterday, today, tomorrow"),"
          + " or a while \(isToCome ? "" : "ago ")such as 2h")
    } catch {
      throw Refused(description: "\(error)")
    }
    let instants = zone.instants(showing: wall)
    guard let instant = instants.first else {
      let first = zone.instant(of: wall).text(in: zone)
      throw Refused(
        description:
          "clocks in \(zone.name) jump over that time: write \(first), the first after it")
    }
    guard instants.count == 1 else {
      let choice = instants.map { $0.text(in: zone) }.joined(separator: " or ")
      throw Refused(
        description:
          "clocks in \(zone.name) show that time \(instants.count == 2 ? "twice" : "often"):"
          + " write \(choice)")
    }
    return instant
  }
}
