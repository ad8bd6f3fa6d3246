/// One line of a document that the parser stopped at, as its author saw it.
struct TomlLine {
  let text: Substring
  /// What stands before the first `=`, or nothing when that is no key.
  let name: Substring?
  /// What stands before the first `=` and is no key.
  let badName: Substring?
  /// What stands behind the first `=`, without a comment.
  let value: Substring

  init(_ text: Substring) {
    self.text = text.trimmed
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let key = parts.count == 2 ? parts[0].trimmed : ""
    (name, badName) = key.isKey ? (key, nil) : (nil, key.isEmpty ? nil : key)
    let rest = parts.count == 2 ? parts[1] : ""
    value = rest.contains("\"") || rest.contains("'") ? rest.trimmed : rest.withoutComment.trimmed
  }

  var isHeader: Bool { text.hasPrefix("[") }

  /// Whether nothing of this line may reach a terminal or a log.
  var mayHoldSecret: Bool {
    let lowered = text.lowercased()
    return lowered.contains("password") || lowered.contains("://")
  }

  /// The quote that opens text which this line does not close.
  var openQuote: Character? {
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    return value.dropFirst().contains(quote) ? nil : quote
  }

  /// Whether the value is neither in quotes or brackets nor made of what numbers and dates are.
  var isBareWord: Bool {
    guard let first = value.first, !"\"'[{".contains(first) else { return false }
    return !value.allSatisfy { "0123456789+-_.:TZ".contains($0) }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }

  /// Whether this could be a key: words with dots, or something in quotes.
  fileprivate var isKey: Bool {
    guard let first, let last else { return false }
    if first == "\"" || first == "'" { return count > 1 && first == last }
    return allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-. ".contains($0)) }
  }

  fileprivate var withoutComment: Substring {
    prefix { $0 != "#" }
  }
}
