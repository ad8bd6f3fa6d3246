internal import Config
internal import JobKit

/// An observation under the name of its check.
struct Finding: Sendable {
  let check: String
  let what: Observation
}

extension Finding {
  /// The finding for people: a line, and where there is something to say why it matters and what to do.
  func text(in style: Style) -> String {
    let word = "\(what.severity)".padded(to: 7)
    let indent = String(repeating: " ", count: 9)
    var lines = ["\(dressed(word, in: style))  \(check): \(what.saw.withVisibleControls)"]
    if let why = what.why { lines.append("\(indent)why: \(why.withVisibleControls)") }
    if let remedy = what.remedy { lines.append("\(indent)do: \(remedy.withVisibleControls)") }
    return lines.joined(separator: "\n")
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
