internal import Config
internal import JobKit

/// An observation under the name of its check.
struct Finding: Sendable {
  let check: String
  let what: Observation
}

extension Finding {
  /// The finding for people: what was seen, and where there is something to say why it matters and what to do.
  ///
  /// What is to be done stays in one line, however narrow the terminal is: it is copied.
  func text(in style: Style) -> String {
    let word = dressed("\(what.severity)".padded(to: 7), in: style)
    var lines = ["\(word)  \(Self.fitted("\(check): \(what.saw)", in: style))"]
    if let why = what.why { lines.append(Self.indent + Self.fitted("why: \(why)", in: style)) }
    if let remedy = what.remedy { lines.append("\(Self.indent)do: \(remedy.withVisibleControls)") }
    return lines.joined(separator: "\n")
  }

  private static let indent = String(repeating: " ", count: 9)

  /// A sentence that goes on below itself where a terminal is too narrow.
  private static func fitted(_ sentence: String, in style: Style) -> String {
    let text = sentence.withVisibleControls
    guard let width = style.width else { return text }
    return Help.wrapped(text, to: width - indent.count).joined(separator: "\n\(indent)")
  }

  private func dressed(_ word: String, in style: Style) -> String {
    switch what.severity {
    case .ok: style.green(word)
    case .note: style.dim(word)
    case .warning: style.bold(word)
    case .problem: style.red(word)
    }
  }

  var json: JSON {
    [
      "check": .string(check), "status": .string("\(what.severity)"), "saw": .string(what.saw),
      "why": JSON(what.why), "do": JSON(what.remedy),
    ]
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
