internal import Config
internal import JobKit

/// Reads what the table of a job in SQL says of its work.
struct SQLSettingsReader {
  let name: JobName
  let kind: SQLJobKind
  var table: TableReader
  let position: SourcePosition

  /// A name of a table, where it stands.
  typealias TablePlace = (name: TableName, text: SettingText)

  /// What the file says of the job's work, for those who compare two files.
  var listing: [(key: String, value: String)] {
    values.map { key, value in
      let text = if case .string(let text) = value { text } else { written(value) }
      return (key, text.replacing("\n", with: " "))
    }
  }

  /// The same as settings that can be read again, which the ledger keeps with a run.
  var text: String { values.map { "\($0.key) = \(written($0.value))\n" }.joined() }

  private var values: [(key: String, value: TomlValue.Content)] {
    (["kind", "purpose"] + kind.keys).compactMap { key in table[key].map { (key, $0) } }
  }

  private func written(_ value: TomlValue.Content) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .float(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    // What JSON writes as a text is one in TOML, too.
    case .string(let text): JSON.string(text).compact
    default: "\"\""
    }
  }

  /// Whether something is wrong that was not when there were so many problems.
  func isFaulty(since count: Int) -> Bool { table.problems.count > count }
}

extension SQLSettingsReader {
  /// What the job does, in words of its author or of its own.
  mutating func readPurpose(_ own: String) -> String {
    table.take("purpose", as: .text("what the job does, such as \"closes old carts\""))?.value
      ?? own
  }

  mutating func readRole() -> String? { table.read("sql_role", as: .role, else: nil) }

  mutating func readTable(
    _ key: String = "table", isWritten: Bool = true
  ) -> TablePlace? {
    let wanted = "the name of a table with its schema, such as \"shop.cart\""
    guard let (value, place) = required(key, wanted) else { return nil }
    let text = table.text(value, of: key, at: place)
    let tokens = SQLLexer.tokens(of: value)
    guard tokens.count == 3, let schema = tokens[0].name, tokens[1].isSign("."),
      let name = tokens[2].name
    else {
      table.note(text.problem("is \(value.inQuotes): write \(wanted)"))
      return nil
    }
    guard let reason = refusal(of: schema, isWritten: isWritten) else {
      return (TableName(schema: schema, name: name), text)
    }
    table.note(text.problem(reason))
    return nil
  }

  /// Why a job of the settings may not work with the tables of a schema.
  private func refusal(of schema: String, isWritten: Bool) -> String? {
    switch schema {
    case "jobkit":
      "is in 'jobkit', the ledger of the daemons: write a table of the app"
    case "learning" where isWritten:
      "is in 'learning', which the jobs of this program write: a job of the settings may only read it"
    case "pg_catalog", "information_schema":
      "is in '\(schema)', which is PostgreSQL's own: write a table of the app"
    default: nil
    }
  }

  mutating func readKey(_ wanted: String) -> (columns: [String], text: SettingText)? {
    guard let (value, place) = required("key", wanted) else { return nil }
    let text = table.text(value, of: "key", at: place)
    guard let columns = SQLLexer.tokens(of: value).listedNames else {
      table.note(text.problem("is \(value.inQuotes): write \(wanted)"))
      return nil
    }
    return (columns, text)
  }

  mutating func readSQL(
    _ key: String, _ form: SQLRules.Form, _ wanted: String
  ) -> SQLText? {
    guard let (value, place) = required(key, wanted) else { return nil }
    return judged(SQLText(table.text(value, of: key, at: place)), form)
  }

  mutating func readOptionalSQL(_ key: String, _ wanted: String) -> SQLText? {
    guard let (value, place) = table.take(key, as: .text(wanted)) else { return nil }
    return judged(SQLText(table.text(value, of: key, at: place)), .expression)
  }

  private mutating func judged(_ text: SQLText, _ form: SQLRules.Form) -> SQLText {
    for problem in SQLRules(text: text, form: form).problems { table.note(problem) }
    return text
  }

  mutating func required(
    _ key: String, _ wanted: String
  ) -> (value: String, position: SourcePosition)? {
    let found = table.take(key, as: .text(wanted))
    if found == nil, table[key] == nil { missing(key, wanted) }
    return found
  }

  mutating func missing(_ key: String, _ wanted: String) {
    refuse("jobs.\(name)", "has no '\(key)': write \(wanted)")
  }

  /// Notes what is wrong with a setting that has no place of its own: the sentence goes on from its name.
  mutating func refuse(_ name: String, _ reason: String) {
    table.note(.forbidden(name: name, reason: reason), at: position)
  }
}

extension SQLSettingsReader {
  /// What makes another kind of job of it.
  mutating func forbidOtherKinds() {
    for (key, kinds) in SQLJobKind.keys where !kinds.contains(kind) {
      table.forbid(
        key,
        because: "stands in a job of another kind: leave it out, or write kind = "
          + kinds.map { "\"\($0.word)\"" }.listed(with: "or"))
    }
  }

  /// What other jobs may leave out: no text of the settings is run without a time and a bound.
  mutating func requirePolicies() {
    if table["schedule"] == nil, table["every"] == nil {
      missing("schedule", "when it runs, such as schedule = \"30 3 * * *\"")
    }
    if table["most"] == nil || table["most"] == .integer(0) {
      missing("most", kind.most)
    }
    if kind == .rollUp, table["overlap"] == .string("allow") {
      let reason =
        "is \"allow\": of two runs at once the later to write may have counted the earlier rows;"
        + " leave it out"
      table.note(
        .forbidden(name: table.name(of: "overlap"), reason: reason),
        at: table.position(of: "overlap") ?? position)
    }
  }
}

extension SQLJobKind {
  fileprivate var most: String {
    let (what, number) =
      switch self {
      case .delete, .set, .statement: ("rows a run may touch", 200_000)
      case .rollUp: ("groups a run may count", 10_000)
      case .dropPartitions: ("partitions a run may drop", 3)
      }
    return "how many \(what) before somebody approves of it, such as most = \(number)"
  }
}

extension [SQLToken] {
  /// The names of a list with commas between them; nothing where it is no such list.
  var listedNames: [String]? {
    let lists = split(omittingEmptySubsequences: false) { $0.isSign(",") }
    let names = lists.compactMap { $0.count == 1 ? $0.first?.name : nil }
    return names.count == lists.count ? names : nil
  }
}
