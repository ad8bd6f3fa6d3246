internal import LocalTime

/// What was written behind a command's name, checked against what the command takes.
struct Arguments: Sendable, Equatable {
  private(set) var flags: Set<String> = []
  private(set) var values: [String: [String]] = [:]
  private(set) var words: [String: [String]] = [:]

  func has(_ option: Option) -> Bool { flags.contains(option.name) }

  subscript(option: Option) -> String? { values[option.name]?.last }

  subscript(word: Word) -> String? { words[word.name]?.last }

  /// Every word that was written for one that may be repeated.
  func all(_ word: Word) -> [String] { words[word.name] ?? [] }

  /// Every value of an option that may be written several times.
  func all(_ option: Option) -> [String] { values[option.name] ?? [] }
}

extension Arguments {
  /// Reads `words` as options of `command`.
  init(_ words: ArraySlice<String>, of command: Command) throws(UsageError) {
    var rest = words
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        try read(word, of: command)
        continue
      }
      try read(word, followedBy: &rest, of: command)
    }
  }

  /// Refuses a call that lacks a word.
  func check(_ command: Command) throws(UsageError) {
    guard let missing = command.words.first(where: { !$0.isOptional && words[$0.name] == nil })
    else { return }
    throw UsageError(.missingWord(missing), command: command)
  }

  private mutating func read(_ word: String, of command: Command) throws(UsageError) {
    let next = command.words.dropFirst(words.count).first
    guard let place = next ?? command.words.last(where: \.repeats) else {
      throw UsageError(.unexpectedWord(word), command: command)
    }
    words[place.name, default: []].append(word)
  }

  private mutating func read(
    _ word: String, followedBy rest: inout ArraySlice<String>, of command: Command
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let attached = parts.count > 1 ? String(parts[1]) : nil
    guard let option = command.option(written: String(parts[0])) else {
      throw UsageError(.unknownOption(String(parts[0])), command: command)
    }
    guard option.value != nil else {
      guard attached == nil else {
        throw UsageError(.unexpectedValue(of: option), command: command)
      }
      flags.insert(option.name)
      return
    }
    guard let value = attached ?? rest.popFirst() else {
      throw UsageError(.missingValue(of: option), command: command)
    }
    guard values[option.name] == nil || option.repeats else {
      throw UsageError(.writtenTwice(option), command: command)
    }
    values[option.name, default: []].append(value)
  }
}

extension Arguments {
  /// The whole number that an option names; nothing when it is not written.
  func number(
    _ option: Option, from least: Int, to most: Int, of command: Command
  ) throws(UsageError) -> Int? {
    guard let text = self[option] else { return nil }
    guard let number = Int(text), (least...most).contains(number) else {
      throw UsageError(
        .badValue(text, of: option, expected: "write a whole number from \(least) to \(most)"),
        command: command)
    }
    return number
  }
}

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
