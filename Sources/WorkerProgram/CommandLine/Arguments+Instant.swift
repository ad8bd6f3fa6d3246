internal import LocalTime

extension Arguments {
  /// The instant that an option names, by the clocks of `zone` where it does not say of which.
  func instant(
    _ option: Option, in zone: Zone, at now: Instant, of command: Command, isToCome: Bool = false
  ) throws(UsageError) -> Instant? {
    guard let text = self[option] else { return nil }
    do throws(WrittenInstant.Refused) {
      return try WrittenInstant(text: text, zone: zone, now: now, isToCome: isToCome).read()
    } catch {
      throw UsageError(.badValue(text, of: option, expected: "\(error)"), command: command)
    }
  }

  /// The local date that an option names; nothing also for today, which is each learner's own.
  func day(
    _ option: Option, in zone: Zone, at now: Instant, of command: Command
  ) throws(UsageError) -> CivilDate? {
    guard let text = self[option], text.lowercased() != "today" else { return nil }
    if let day = WrittenInstant(text: text, zone: zone, now: now).day { return day }
    do throws(TimeTextError) {
      return try CivilDate(text)
    } catch .notADate {
      throw UsageError(
        .badValue(
          text, of: option,
          expected: "write a date such as 2026-03-08, or yesterday, today or tomorrow"),
        command: command)
    } catch {
      throw UsageError(.badValue(text, of: option, expected: "\(error)"), command: command)
    }
  }

  /// Refuses an end that does not come after its beginning.
  func check(
    _ end: Instant, of option: Option, isAfter start: Instant, named beginning: String = "from",
    command: Command
  ) throws(UsageError) {
    guard end <= start else { return }
    throw UsageError(
      .badValue(
        self[option] ?? "\(end)", of: option,
        expected: "it must lie after --\(beginning), \(start)"),
      command: command)
  }
}
