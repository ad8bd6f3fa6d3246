internal import LocalTime

extension Arguments {
  /// The instant that an option names, or the first instant of the local date that it names.
  func instant(
    _ option: Option, in zone: Zone, of command: Command
  ) throws(UsageError) -> Instant? {
    guard let text = self[option] else { return nil }
    do throws(TimeTextError) {
      return zone.startOfDay(try CivilDate(text))
    } catch .notADate {
      let others = ", \(Self.local) or a date such as 2026-03-08"
      return try instant(option, of: command, orElse: others)
    } catch {
      throw UsageError(.badValue(text, of: option, expected: "\(error)"), command: command)
    }
  }

  /// The instant that an option names.
  func instant(
    _ option: Option, of command: Command, orElse others: String? = nil
  ) throws(UsageError) -> Instant? {
    guard let text = self[option] else { return nil }
    do throws(TimeTextError) {
      return try Instant(text)
    } catch .notAnInstant {
      let expected = "write 2026-03-08T07:00:00Z" + (others ?? " or \(Self.local)")
      throw UsageError(.badValue(text, of: option, expected: expected), command: command)
    } catch {
      throw UsageError(.badValue(text, of: option, expected: "\(error)"), command: command)
    }
  }

  private static let local = "2026-03-08T02:00:00-05:00"

  /// Refuses an end that does not come after its beginning.
  func check(
    _ end: Instant, of option: Option, isAfter start: Instant, command: Command
  ) throws(UsageError) {
    guard end <= start else { return }
    throw UsageError(
      .badValue(
        self[option] ?? "\(end)", of: option, expected: "it must lie after --from, \(start)"),
      command: command)
  }
}
