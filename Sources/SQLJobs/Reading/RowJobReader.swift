internal import Config
internal import JobKit
internal import Migrations

/// Reads a job that deletes or sets rows from its table of the settings.
struct RowJobReader {
  let name: JobName
  let kind: SQLJobKind
  var table: TableReader
  let position: SourcePosition

  init(name: JobName, kind: SQLJobKind, table: TableReader, position: SourcePosition) {
    (self.name, self.kind, self.table, self.position) = (name, kind, table, position)
  }

  /// The job; nothing when something is wrong, which is noted.
  mutating func read() -> RowJob? {
    let before = table.problems.count
    let purpose = table.take(
      "purpose", as: .text("what the job does, such as \"closes old carts\""))
    let place = readTable()
    let key = readKey()
    let condition = readSQL("where", .expression, "a condition, such as \"state = 'open'\"")
    let change = readChange()
    let count = readOptionalSQL("count", "the column by whose values changed rows are counted")
    let check = readOptionalSQL("check", "a condition that no row may meet after a run")
    let chunk = table.read("chunk", as: .count(1...100_000, suchAs: 1000), else: 1000)
    let mostShare = table.read("most_share", as: .share, else: nil)
    let explanation = table.take("explain", as: .explanation)
    let role = table.read("sql_role", as: .role, else: nil)
    let mayBackfill = table.read("backfill", as: .flag, else: false)
    requirePolicies()
    forbidOtherKinds()
    guard table.problems.count == before, let place, let key, let condition, let change else {
      return nil
    }
    let target = SQLTable(schema: place.schema, name: place.name, key: key.columns)
    return RowJob(
      definition: definition(
        purpose?.value ?? change.purpose(of: target.words), target, change,
        mayBackfill: mayBackfill, isByAnother: role != nil),
      table: target, change: change, condition: condition, count: count, check: check,
      chunk: chunk, mostShare: mostShare, explanation: explanation?.value, role: role,
      listing: listing,
      places: .init(table: place.text, key: key.text))
  }

  private func definition(
    _ purpose: String, _ target: SQLTable, _ change: RowChange, mayBackfill: Bool,
    isByAnother: Bool
  ) -> JobDefinition {
    var policies = Policies()
    policies.mayBackfill = mayBackfill
    // The file says when it runs; this stands for what it does not say.
    return JobDefinition(
      name: name, purpose: purpose, schedule: .every(.seconds(86_400)), policies: policies,
      // What another role may do is for the statements to find out.
      needs: isByAnother ? [] : [TableNeed(target.words, change.rights)])
  }

  private static let listed = [
    "kind", "purpose", "table", "key", "where", "set", "statement", "count", "check", "chunk",
    "most_share",
    "explain", "sql_role", "backfill",
  ]

  /// What the file says of the job's work, for those who compare two files.
  private var listing: [(key: String, value: String)] {
    Self.listed.compactMap { key in
      switch table[key] {
      case .string(let text)?: (key, text.replacing("\n", with: " "))
      case .integer(let number)?: (key, "\(number)")
      case .float(let number)?: (key, "\(number)")
      case .boolean(let flag)?: (key, "\(flag)")
      default: nil
      }
    }
  }
}

extension RowJobReader {
  private mutating func readChange() -> RowChange? {
    switch kind {
    case .delete: .delete
    case .set:
      readSQL("set", .assignments, "assignments, such as \"state = 'closed'\"").map(RowChange.set)
    case .statement:
      readSQL(
        "statement", .statement,
        "an INSERT, UPDATE or DELETE of the rows whose keys are IN (:keys)"
      ).map(RowChange.statement)
    }
  }

  private mutating func readTable() -> (schema: String, name: String, text: SettingText)? {
    let wanted = "the name of a table with its schema, such as \"shop.cart\""
    guard let (value, place) = required("table", wanted) else { return nil }
    let text = table.text(value, of: "table", at: place)
    let tokens = SQLLexer.tokens(of: value)
    guard tokens.count == 3, let schema = tokens[0].name, tokens[1].isSign("."),
      let name = tokens[2].name
    else {
      table.note(text.problem("is \(value.inQuotes): write \(wanted)"))
      return nil
    }
    guard let reason = refusal(of: schema) else { return (schema, name, text) }
    table.note(text.problem(reason))
    return nil
  }

  /// Why a job of the settings may not write to the tables of a schema.
  private func refusal(of schema: String) -> String? {
    switch schema {
    case "jobkit":
      "is in 'jobkit', the ledger of the daemons: write a table of the app"
    case "learning" where kind != .statement:
      "is in 'learning', which the jobs of this program write: a job of the settings may only read it"
    case "pg_catalog", "information_schema":
      "is in '\(schema)', which is PostgreSQL's own: write a table of the app"
    default: nil
    }
  }

  private mutating func readKey() -> (columns: [String], text: SettingText)? {
    let wanted = "the columns of a unique index in its order, such as \"user_id, cart_id\""
    guard let (value, place) = required("key", wanted) else { return nil }
    let text = table.text(value, of: "key", at: place)
    let tokens = SQLLexer.tokens(of: value)
    let columns = stride(from: 0, to: tokens.count, by: 2).compactMap { tokens[$0].name }
    let commas = stride(from: 1, to: tokens.count, by: 2).filter { tokens[$0].isSign(",") }
    guard !columns.isEmpty, columns.count + commas.count == tokens.count,
      columns.count == commas.count + 1
    else {
      table.note(text.problem("is \(value.inQuotes): write \(wanted)"))
      return nil
    }
    return (columns, text)
  }

  private mutating func readSQL(
    _ key: String, _ form: SQLRules.Form, _ wanted: String
  ) -> SQLText? {
    guard let (value, place) = required(key, wanted) else { return nil }
    return judged(SQLText(table.text(value, of: key, at: place)), form)
  }

  private mutating func readOptionalSQL(_ key: String, _ wanted: String) -> SQLText? {
    guard let (value, place) = table.take(key, as: .text(wanted)) else { return nil }
    return judged(SQLText(table.text(value, of: key, at: place)), .expression)
  }

  private mutating func judged(_ text: SQLText, _ form: SQLRules.Form) -> SQLText {
    for problem in SQLRules(text: text, form: form).problems { table.note(problem) }
    return text
  }

  private mutating func required(
    _ key: String, _ wanted: String
  ) -> (value: String, position: SourcePosition)? {
    let found = table.take(key, as: .text(wanted))
    if found == nil, table[key] == nil { missing(key, wanted) }
    return found
  }

  private mutating func missing(_ key: String, _ wanted: String) {
    table.note(
      .forbidden(name: "jobs.\(name)", reason: "has no '\(key)': write \(wanted)"), at: position)
  }

  /// What makes another kind of job of it.
  private mutating func forbidOtherKinds() {
    for other in SQLJobKind.allCases where other != kind && other != .delete {
      table.forbid(
        other.word,
        because: "stands in a job of another kind: leave it out, or write kind = \"\(other.word)\"")
    }
  }

  /// What other jobs may leave out: no text of the settings is run without a time and a bound.
  private mutating func requirePolicies() {
    if table["schedule"] == nil, table["every"] == nil {
      missing("schedule", "when it runs, such as schedule = \"30 3 * * *\"")
    }
    if table["most"] == nil || table["most"] == .integer(0) {
      missing(
        "most",
        "how many rows a run may touch before somebody approves of it, such as most = 200000")
    }
  }
}

extension RowChange {
  fileprivate func purpose(of table: String) -> String {
    switch self {
    case .delete: "deletes rows of \(table)"
    case .set: "changes rows of \(table)"
    case .statement: "runs a statement for rows of \(table)"
    }
  }
}

extension SettingKind<Double?> {
  fileprivate static var share: Self {
    SettingKind(wanted: "a share above 0 and up to 1, such as 0.2") { content throws(Misfit) in
      let number: Double
      switch content {
      case .integer(let whole): number = Double(whole)
      case .float(let fraction): number = fraction
      default: throw .kind
      }
      guard number > 0, number <= 1 else { throw .value }
      return number
    }
  }
}

extension SettingKind<RowExplanation> {
  fileprivate static var explanation: Self {
    let wanted =
      "a sentence with columns in braces, such as \"cart {cart_id}: untouched since {touched_at}\""
    return SettingKind(wanted: wanted) { content throws(Misfit) in
      guard case .string(let text) = content else { throw .kind }
      guard let explanation = RowExplanation(text) else { throw .value }
      return explanation
    }
  }
}
