/// What to tell the author of a line that is no TOML.
///
/// The parser speaks of what it expected next; whoever forgot two quotes wants to hear of quotes.
struct TomlAdvice {
  let line: TomlLine
  /// What the parser was reading, such as "string", and what it says about it.
  let scope: Substring
  let reason: Substring

  init(words: String, line: TomlLine) {
    self.line = line
    let prefix = "Error while parsing "
    guard words.hasPrefix(prefix), let colon = words.firstIndex(of: ":") else {
      (scope, reason) = ("document", words.prefix(1).lowercased() + words.dropFirst())
      return
    }
    scope = words[..<colon].dropFirst(prefix.count)
    reason = words[words.index(after: colon)...].drop { $0 == " " }
  }

  /// Whether the document can be read on without this line.
  ///
  /// A header cannot be left out: what follows it would land in another table and be called
  /// unknown there. Nor can a line that only happens to be the last.
  var canSkipLine: Bool { line.name != nil && !endsTooSoon }

  var isAboutKey: Bool { isRepetition && line.name != nil }

  var sentence: String {
    if isRepetition { return "\(subject) is set twice: keep one" }
    if reason.contains("maximum nested value depth") {
      return "lists stand in more than 16 others: settings need one or two"
    }
    if let quote = line.openQuote { return unclosed(quote) }
    if endsTooSoon {
      return "the text ends inside a \(scope): look for a quote or bracket that is not closed"
    }
    if line.isHeader { return "\(subject) is no table header: write [name] on a line of its own" }
    guard line.name != nil else { return "\(subject) is no setting: write name = value" }
    if line.value.isEmpty { return "'\(line.name ?? "")' has no value: write one after '='" }
    if line.isBareWord { return bareWord }
    return "cannot read \(subject): \(line.mayHoldSecret ? "the \(scope) is malformed" : reason)"
  }

  private var endsTooSoon: Bool { reason.contains("end-of-file") }

  private var isRepetition: Bool {
    reason.contains("cannot redefine existing") || reason.contains("into existing inline table")
  }

  private var subject: String {
    if isRepetition, let name = line.name { return "'\(name)'" }
    return line.mayHoldSecret ? "this line" : String(line.text).inQuotes
  }

  private func unclosed(_ quote: Character) -> String {
    let text = line.mayHoldSecret ? "this text" : String(line.value).inQuotes
    return "\(text) has no end: close it with \(quote)"
  }

  private var bareWord: String {
    if ["true", "false", "yes", "no", "on", "off"].contains(line.value.lowercased()) {
      return "\(String(line.value).inQuotes) is no boolean: write true or false"
    }
    guard !line.mayHoldSecret, !line.value.contains(where: { "\"\\".contains($0) }) else {
      return "the value of '\(line.name ?? "")' is neither a number nor text: write text in quotes"
    }
    let value = String(line.value)
    return "\(value.inQuotes) is neither a number nor text: write text in quotes, as \"\(value)\""
  }
}
