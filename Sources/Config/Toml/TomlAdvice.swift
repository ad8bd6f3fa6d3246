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
  var canSkipLine: Bool { line.name != nil && (line.value.isEmpty || !endsTooSoon) }

  /// What of the line is at fault, or nothing when it is the very place where the parser stopped.
  var culprit: Substring? {
    guard let name = line.name else { return nil }
    if isRepetition { return name }
    // Inside quotes and brackets the parser knows the place better.
    let isOpaque = line.value.first.map { "\"'[{".contains($0) } ?? true
    return isOpaque && line.openQuote == nil ? nil : line.value
  }

  var sentence: String {
    if isRepetition { return "\(subject) is set twice: keep one" }
    if reason.contains("maximum nested value depth") {
      return "lists stand in more than 16 others: settings need one or two"
    }
    if let name = line.name, line.value.isEmpty {
      return "'\(name)' has no value: write one after '='"
    }
    if let quote = line.openQuote { return unclosed(quote) }
    if line.isHeader { return "\(subject) is no table header: write [name] on a line of its own" }
    if endsTooSoon { return "the text ends inside \(unclosed): look for what is not closed" }
    if let name = line.badName, !line.mayHoldSecret {
      return "\(String(name).inQuotes) cannot name a setting: write ASCII letters, digits, _ and -"
    }
    guard line.name != nil else { return "\(subject) is no setting: write name = value" }
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

  private var unclosed: String {
    switch scope {
    case "string": "a string"
    case "array": "a list"
    case "inline table": "a table in braces"
    default: "a setting"
    }
  }

  private func unclosed(_ quote: Character) -> String {
    let text = line.mayHoldSecret ? "this text" : String(line.value).inQuotes
    return "\(text) has no end: close it with \(quote)"
  }

  private var bareWord: String {
    if ["true", "false", "yes", "no", "on", "off"].contains(line.value.lowercased()) {
      return "\(String(line.value).inQuotes) is no boolean: write true or false"
    }
    let value = String(line.value)
    guard !line.mayHoldSecret, value.isPlain else {
      return "the value of '\(line.name ?? "")' is neither a number nor text: write text in quotes"
    }
    return "'\(value)' is neither a number nor text: write text in quotes, as \"\(value)\""
  }
}

extension String {
  /// Whether the text can be put in quotes as it is.
  fileprivate var isPlain: Bool {
    inQuotes == "'\(self)'" && !contains { "\"\\".contains($0) }
  }
}
