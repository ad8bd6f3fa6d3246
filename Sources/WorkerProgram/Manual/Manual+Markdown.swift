extension Manual {
  /// The page for a browser.
  var markdown: String {
    let origin = "<!-- Written by 'worker manual \(name) --markdown': change that, not this. -->"
    let head = "# \(name)\n\n\(origin)\n\n\(summary.prefix(1).uppercased() + summary.dropFirst())."
    return ([head] + blocks.map(Self.text)).joined(separator: "\n\n")
  }

  private static func text(of block: Block) -> String {
    switch block {
    case .heading(let text): "## \(text)"
    case .subheading(let text): "### \(text)"
    case .paragraph(let text): text
    case .lines(let lines): lines.map { "    " + $0 }.joined(separator: "\n")
    case .term(let heads, let text):
      "- " + heads.map { "`\($0)`" }.joined(separator: "  \n  ") + "  \n  " + text
    }
  }
}
