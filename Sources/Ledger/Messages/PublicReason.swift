internal import Config

/// The reason of a failure without what is nobody's business outside: it goes to chats and mailboxes.
///
/// Errors are sentences about statements, jobs and files; but Postgres quotes values in some of them, and
/// a value may be a person's. What looks like one is replaced by `…`; the ledger has the whole sentence.
package struct PublicReason {
  package let text: String

  private static let longest = 300

  package init(_ reason: String) {
    let line = reason.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    var text = line.replacing(#/=\s*\([^)]*\)/#, with: "=(…)")
    text = text.replacing(#/\S+@\S+/#, with: "…")
    text = text.replacing(#/\b[a-z]+://\S+/#.ignoresCase(), with: "…")
    text = text.replacing(#/\b(user|key|\w+_id)\b([ =:]+)\d+/#.ignoresCase()) { match in
      "\(match.output.1)\(match.output.2)…"
    }
    // Tokens and keys: long words that are no words.
    text = text.replacing(#/\b(?=\w*\d)[\w\-]{20,}/#, with: "…")
    // What Postgres could not read it quotes behind a colon: 'invalid input syntax for type date: "…"'.
    text = text.replacing(#/: "[^"]*"/#, with: ": \"…\"")
    // A pause has a reason, too, and older versions kept errors as they were.
    text = text.withVisibleControls
    self.text = text.count <= Self.longest ? text : text.prefix(Self.longest - 1) + "…"
  }
}
