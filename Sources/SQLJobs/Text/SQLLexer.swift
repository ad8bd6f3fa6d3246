/// Cuts a piece of SQL into its tokens, as PostgreSQL does.
///
/// Comments are left out. What it does not know is a sign: PostgreSQL itself judges that.
struct SQLLexer {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var tokens: [SQLToken] = []

  static func tokens(of text: String) -> [SQLToken] {
    var lexer = SQLLexer(scalars: Array(text.unicodeScalars))
    while lexer.index < lexer.scalars.count { lexer.read() }
    return lexer.tokens
  }

  private init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  private func scalar(after count: Int = 0) -> Unicode.Scalar? {
    scalars.indices.contains(index + count) ? scalars[index + count] : nil
  }

  private mutating func read() {
    guard let first = scalar() else { return }
    let next = scalar(after: 1)
    switch (first, next) {
    case (_, _) where first.properties.isWhitespace: index += 1
    case ("-", "-"): skipLine()
    case ("/", "*"): skipComment()
    case ("'", _): readQuoted("'", escapes: false)
    case ("\"", _): readQuoted("\"", escapes: false)
    case ("e", "'"), ("E", "'"): readPrefixed(by: 1, escapes: true)
    case ("b", "'"), ("B", "'"), ("x", "'"), ("X", "'"), ("n", "'"), ("N", "'"):
      readPrefixed(by: 1, escapes: false)
    case ("u", "&"), ("U", "&"): readUnicode()
    case ("$", _): readDollar()
    case (":", ":"), (":", "="): add(.sign(String(first) + (next.map(String.init) ?? "")), 2)
    case (":", .some(let letter)) where letter.beginsName: readParameter()
    case (_, _) where first.beginsName: readWord()
    case (_, _) where first.isDigit: readNumber()
    default: add(.sign(String(first)), 1)
    }
  }

  private mutating func add(_ kind: SQLToken.Kind, _ count: Int) {
    let end = min(index + count, scalars.count)
    tokens.append(SQLToken(kind: kind, range: index..<end))
    index = end
  }

  private func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[range])
    return String(text)
  }

  private mutating func skipLine() {
    while let scalar = scalar(), scalar != "\n" { index += 1 }
  }

  /// A comment may hold others.
  private mutating func skipComment() {
    var (depth, end) = (0, index)
    while end < scalars.count {
      let pair = end + 1 < scalars.count ? (scalars[end], scalars[end + 1]) : (scalars[end], " ")
      if pair == ("/", "*") { (depth, end) = (depth + 1, end + 2); continue }
      if pair == ("*", "/") {
        (depth, end) = (depth - 1, end + 2)
        if depth == 0 { break }
        continue
      }
      end += 1
    }
    guard depth == 0 else { return add(.unfinished("/*"), scalars.count - index) }
    index = end
  }

  private mutating func readPrefixed(by count: Int, escapes: Bool) {
    let start = index
    index += count
    readQuoted("'", escapes: escapes, from: start)
  }

  private mutating func readUnicode() {
    guard let quote = scalar(after: 2), quote == "'" || quote == "\"" else { return readWord() }
    let start = index
    index += 2
    readQuoted(quote, escapes: false, from: start)
  }

  /// A text or a name in quotes, in which the quote itself is written twice.
  private mutating func readQuoted(
    _ quote: Unicode.Scalar, escapes: Bool, from start: Int? = nil
  ) {
    let start = start ?? index
    var (content, end) = (String.UnicodeScalarView(), index + 1)
    while end < scalars.count {
      if escapes, scalars[end] == "\\", end + 1 < scalars.count {
        content.append(scalars[end + 1])
        end += 2
      } else if scalars[end] != quote {
        content.append(scalars[end])
        end += 1
      } else if end + 1 < scalars.count, scalars[end + 1] == quote {
        content.append(quote)
        end += 2
      } else {
        index = start
        let text = String(content)
        return add(quote == "'" ? .string(text) : .quotedName(text), end + 1 - start)
      }
    }
    index = start
    add(.unfinished(String(quote)), scalars.count - start)
  }

  /// A text between `$$` or `$tag$`, or a parameter such as `$1`, which is a sign here.
  private mutating func readDollar() {
    var end = index + 1
    while end < scalars.count, scalars[end].continuesName { end += 1 }
    let isTag = end == index + 1 || !scalars[index + 1].isDigit
    guard isTag, end < scalars.count, scalars[end] == "$" else {
      return add(.sign("$"), 1)
    }
    let tag = Array(scalars[index...end])
    var close = end + 1
    while close + tag.count <= scalars.count {
      if Array(scalars[close..<(close + tag.count)]) == tag {
        return add(.string(text((end + 1)..<close)), close + tag.count - index)
      }
      close += 1
    }
    add(.unfinished(text(index..<(end + 1))), scalars.count - index)
  }

  private mutating func readParameter() {
    var end = index + 1
    while end < scalars.count, scalars[end].continuesName { end += 1 }
    add(.parameter(text((index + 1)..<end)), end - index)
  }

  private mutating func readWord() {
    var end = index + 1
    while end < scalars.count, scalars[end].continuesName || scalars[end] == "$" { end += 1 }
    add(.word(text(index..<end).lowercased()), end - index)
  }

  private mutating func readNumber() {
    var end = index + 1
    while end < scalars.count, scalars[end].continuesName || scalars[end] == "." { end += 1 }
    add(.number, end - index)
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  /// Letters, and whatever lies beyond ASCII, as in PostgreSQL.
  fileprivate var beginsName: Bool {
    ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_" || value > 127
  }

  fileprivate var continuesName: Bool { beginsName || isDigit }
}
