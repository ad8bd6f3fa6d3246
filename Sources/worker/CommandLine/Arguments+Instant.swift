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
      return try instant(text, option, of: command)
    } catch {
      throw UsageError(.badValue(text, of: option, expected: "\(error)"), command: command)
    }
  }

  private func instant(
    _ text: String, _ option: Option, of command: Command
  ) throws(UsageError) -> Instant {
    do throws(TimeTextError) {
      return try Instant(text)
    } catch {
      throw UsageError(.badValue(text, of: option, expected: "\(error)"), command: command)
    }
  }

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
