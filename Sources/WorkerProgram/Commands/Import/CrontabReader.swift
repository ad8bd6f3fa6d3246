internal import Config
internal import LocalTime

/// Reads a crontab as cron does: each line is a variable, or a schedule and a command.
struct CrontabReader {
  /// Whether each line names the user of its command, as in `/etc/crontab` and `/etc/cron.d`.
  let isSystem: Bool

  /// Whether there is such a zone.
  let knowsZone: (String) -> Bool

  private(set) var jobs: [CrontabJob] = []
  private(set) var faults: [CrontabFault] = []
  private var variables: [CrontabVariable] = []
  private var number = 0

  init(isSystem: Bool, knowsZone: @escaping (String) -> Bool) {
    (self.isSystem, self.knowsZone) = (isSystem, knowsZone)
  }

  mutating func read(_ text: String) {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      number = index + 1
      let content = line.drop(while: Self.isBlank)
      guard let first = content.first, first != "#" else { continue }
      do throws(CrontabFault) {
        if let variable = Self.variable(content) {
          try set(variable, at: content.startIndex, in: line)
        } else {
          jobs.append(try job(in: line))
        }
      } catch {
        faults.append(error)
      }
    }
  }

  private static func isBlank(_ character: Character) -> Bool {
    character == " " || character == "\t"
  }

  private func fault(
    _ reason: String, at index: Substring.Index, in line: Substring
  ) -> CrontabFault {
    let column = line[..<index].unicodeScalars.count + 1
    return CrontabFault(position: SourcePosition(line: number, column: column), reason: reason)
  }
}

extension CrontabReader {
  private static func variable(_ line: Substring) -> CrontabVariable? {
    guard let sign = line.firstIndex(of: "=") else { return nil }
    let name = unquoted(line[..<sign])
    let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard isName, name.first?.isNumber == false else { return nil }
    return CrontabVariable(
      name: String(name), value: String(unquoted(line[line.index(after: sign)...])))
  }

  private static func unquoted(_ text: Substring) -> Substring {
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    for quote in ["'", "\""] as [Character]
    where text.count > 1 && text.first == quote && text.last == quote {
      return text.dropFirst().dropLast()
    }
    return text
  }

  private mutating func set(
    _ variable: CrontabVariable, at index: Substring.Index, in line: Substring
  ) throws(CrontabFault) {
    if variable.name == "CRON_TZ", !knowsZone(variable.value) {
      throw fault(
        "there is no zone \(variable.value.inQuotes): write one such as Europe/Zurich", at: index,
        in: line)
    }
    variables.removeAll { $0.name == variable.name }
    variables.append(variable)
  }
}

extension CrontabReader {
  private func job(in line: Substring) throws(CrontabFault) -> CrontabJob {
    var rest = line.drop(while: Self.isBlank)
    let start = rest.startIndex
    let schedule = try schedule(from: &rest, in: line)
    let user = isSystem ? Self.takeWord(&rest) : nil
    guard !rest.isEmpty else {
      let what = isSystem ? "no user, or no command," : "no command"
      throw fault("has \(what) behind its schedule", at: start, in: line)
    }
    return CrontabJob(
      line: number, text: String(line[start...]), schedule: schedule, user: user.map { String($0) },
      command: CrontabCommand(String(rest)), variables: variables)
  }

  private func schedule(
    from rest: inout Substring, in line: Substring
  ) throws(CrontabFault) -> CrontabSchedule {
    let start = rest.startIndex
    let wanted = rest.first == "@" ? 1 : 5
    var fields: [Substring] = []
    while fields.count < wanted, let word = Self.takeWord(&rest) { fields.append(word) }
    guard fields.count == wanted else {
      let found = fields.count == 1 ? "1 field" : "\(fields.count) fields"
      throw fault(
        "has \(found): write five, minute hour day month weekday, and the command behind them",
        at: start, in: line)
    }
    do throws(CrontabSchedule.Refused) {
      return try CrontabSchedule(fields.map { String($0) })
    } catch {
      throw fault(error.reason, at: fields[error.field].startIndex, in: line)
    }
  }

  /// Takes a word and the blanks behind it.
  private static func takeWord(_ text: inout Substring) -> Substring? {
    let word = text.prefix { !isBlank($0) }
    guard !word.isEmpty else { return nil }
    text = text[word.endIndex...].drop(while: isBlank)
    return word
  }
}
