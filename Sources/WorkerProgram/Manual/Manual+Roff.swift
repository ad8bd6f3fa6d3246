extension Manual {
  /// The page as `man` reads it; `date` is that of the build, or empty.
  func roff(date: String) -> String {
    let title = "\(name.uppercased()) \(section) \"\(date)\" \"worker \(Build.version)\""
    let head = [
      ".\\\" Written by 'worker manual \(name)'.", ".TH \(title)", ".nh", ".ad l", ".SH NAME",
      "\(Roff.escaped(name)) \\- \(Roff.escaped(summary))",
    ]
    let isHead = [true] + blocks.map(\.isHead)
    let body = zip(blocks, isHead).flatMap { block, isAtStart in
      Roff.lines(of: block, isAtStart: isAtStart)
    }
    return (head + body).joined(separator: "\n")
  }
}

extension Manual.Block {
  fileprivate var isHead: Bool {
    switch self {
    case .heading, .subheading: true
    case .paragraph, .lines, .term: false
    }
  }
}

/// The language of `man`.
private enum Roff {
  /// The lines of a block; below a head no paragraph begins that has not begun already.
  static func lines(of block: Manual.Block, isAtStart: Bool) -> [String] {
    let gap = isAtStart ? [] : [".PP"]
    return switch block {
    case .heading(let text): [".SH " + quoted(text.hasPrefix("[") ? text : text.uppercased())]
    case .subheading(let text): [".SS " + quoted(text)]
    case .paragraph(let text): gap + filled(text)
    case .lines(let lines): gap + [".RS 4", ".nf"] + lines.map(line) + [".fi", ".RE"]
    case .term(let heads, let text):
      [".TP", ".B " + quoted(heads.first ?? "")]
        + heads.dropFirst().flatMap { [".TQ", ".B " + quoted($0)] } + filled(text)
    }
  }

  /// Nothing of the text is a command, and a dash can be copied into a shell.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      if let name = names[scalar] { return name }
      return scalar.isASCII ? String(scalar) : "\\[u\(hexadecimal(scalar))]"
    }.joined()
  }

  private static let names: [Unicode.Scalar: String] = [
    "\\": "\\e", "-": "\\-", "'": "\\(aq", "\"": "\\(dq", "^": "\\(ha", "~": "\\(ti",
    "`": "\\(ga",
  ]

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// A line of text: only a dot at its beginning would be a command.
  private static func line(_ text: String) -> String {
    (text.hasPrefix(".") ? "\\&" : "") + escaped(text)
  }

  /// What stands between backticks is bold, however lines are broken.
  private static func filled(_ text: String) -> [String] {
    var isBold = false
    return Help.wrapped(text, to: 60).map { words in
      let parts = words.split(separator: "`", omittingEmptySubsequences: false)
      return parts.enumerated().map { index, part in
        if index > 0 { isBold.toggle() }
        let change = index == 0 ? "" : isBold ? "\\fB" : "\\fR"
        return change + (index == 0 ? line(String(part)) : escaped(String(part)))
      }.joined()
    }
  }
}
