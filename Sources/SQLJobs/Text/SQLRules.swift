internal import Config

/// What a piece of SQL of the settings may not hold, whatever the database says of it.
struct SQLRules {
  let text: SQLText
  let form: Form

  enum Form {
    /// The condition of the rows of a job.
    case condition
    /// Any other expression.
    case expression
    /// What stands behind SET.
    case assignments
    /// A whole statement that names the keys of a chunk.
    case statement
    /// A query that names the keys of a chunk, and counts for each.
    case query
  }

  /// Everything that is wrong with the text, in its order.
  var problems: [Problem] {
    guard !text.tokens.isEmpty else {
      return [text.problem("is empty: write SQL")]
    }
    if let reason = beginningFault { return [text.problem(reason)] }
    var (depth, problems) = (0, [Problem]())
    for (index, token) in text.tokens.enumerated() {
      if token.isSign("(") { depth += 1 }
      if token.isSign(")") { depth -= 1 }
      if depth < 0 {
        problems.append(text.problem(at: token, "closes a parenthesis that it did not open"))
        return problems
      }
      if let reason = fault(at: index, depth: depth) {
        problems.append(text.problem(at: token, reason))
      }
    }
    if depth > 0 { problems.append(text.problem("leaves a parenthesis open")) }
    return problems
  }

  private func token(_ index: Int) -> SQLToken? {
    text.tokens.indices.contains(index) ? text.tokens[index] : nil
  }

  private func fault(at index: Int, depth: Int) -> String? {
    let token = text.tokens[index]
    switch token.kind {
    case .unfinished(let opening): return "has no end for what \(opening.inQuotes) opens"
    case .parameter(let name) where !form.parameters.map(\.rawValue).contains(name):
      return "names \(":\(name)".inQuotes), which is no parameter: write \(form.listedParameters)"
    case .parameter(SQLParameter.since.rawValue) where text.columns(behind: index) == nil:
      return Self.sinceWhat
    case .sign(";"): return "holds ';': write one \(form.noun) and no ';'"
    case .sign("$") where isNumber(index + 1):
      return "names a parameter by its number: write \(form.listedParameters)"
    case .string(let text) where isClockText(text, at: index):
      return "reads a clock by \(text.inQuotes): \(Self.lateRun)"
    case .word, .quotedName:
      return callFault(at: index) ?? schemaFault(at: index) ?? clauseFault(at: index, depth)
    default: return nil
    }
  }

  private func isNumber(_ index: Int) -> Bool {
    token(index)?.kind == .number
      && token(index)?.range.lowerBound == token(index - 1)?.range.upperBound
  }

  private static let sinceWhat =
    "names ':since' without two columns: write :since(received_at, written_in), with the columns that say"
    + " when a row was received and in which transaction it was written"

  private static let lateRun =
    "a late run would do other work than one in time; write :moment, the moment of the run"

  private static let clockWords: Set = [
    "current_timestamp", "current_date", "current_time", "localtime", "localtimestamp",
  ]
  private static let clockFunctions: Set = [
    "now", "transaction_timestamp", "statement_timestamp", "clock_timestamp", "timeofday",
  ]
  private static let diceFunctions: Set = ["random", "random_normal", "setseed"]

  /// What is wrong with the function that is called here, or with the word that is one.
  private func callFault(at index: Int) -> String? {
    let token = text.tokens[index]
    guard isBuiltIn(index), let name = token.name else { return nil }
    if token.isWord(name), Self.clockWords.contains(name) {
      return "reads \(name): \(Self.lateRun)"
    }
    guard self.token(index + 1)?.isSign("(") == true else { return nil }
    if Self.clockFunctions.contains(name) { return "calls \(name)(): \(Self.lateRun)" }
    if name == "age", !hasComma(inCallAt: index + 1) {
      return "calls age() of one instant, which reads a clock: write age(:moment, …)"
    }
    if Self.diceFunctions.contains(name) {
      return "calls \(name)(): a chunk that is repeated would do other work; decide by a column"
    }
    return name == "set_config"
      ? "calls set_config(): a job changes no setting of its session" : nil
  }

  /// Whether a name may be one of PostgreSQL's own: it has no schema, or theirs.
  private func isBuiltIn(_ index: Int) -> Bool {
    guard token(index - 1)?.isSign(".") == true else { return true }
    return token(index - 2)?.name == "pg_catalog"
  }

  private func hasComma(inCallAt opening: Int) -> Bool {
    var depth = 0
    for token in text.tokens[opening...] {
      if token.isSign("(") { depth += 1 }
      if token.isSign(")") { depth -= 1 }
      if depth == 0 { return false }
      if depth == 1, token.isSign(",") { return true }
    }
    return false
  }

  private static let clockTexts: Set = ["now", "today", "tomorrow", "yesterday"]
  private static let clockTypes: Set = [
    "timestamptz", "timestamp", "date", "time", "timetz", "zone",
  ]

  /// Whether a text stands for the hour at which it is read: as `'now'::timestamptz` or `date 'today'` does.
  private func isClockText(_ text: String, at index: Int) -> Bool {
    guard Self.clockTexts.contains(text.lowercased().filter { !$0.isWhitespace }) else {
      return false
    }
    let names = [
      token(index - 1)?.name,
      token(index + 1)?.isSign("::") == true
        ? token(index + 2)?.name : nil,
    ]
    return names.contains { $0.map(Self.clockTypes.contains) ?? false }
  }

  /// What is wrong with a text that has to begin in some way, and to name the keys of its chunk.
  private var beginningFault: String? {
    guard !form.beginnings.isEmpty else { return nil }
    guard case .word(let first) = text.tokens[0].kind, form.beginnings.contains(first) else {
      let words = form.beginnings.map { $0.uppercased() }.listed(with: "or")
      return "begins with no \(words): write one of them"
    }
    return text.names(.keys)
      ? nil : "does not name ':keys', so that each chunk would do the same: write … IN (:keys)"
  }

  private func schemaFault(at index: Int) -> String? {
    guard let name = text.tokens[index].name, token(index + 1)?.isSign(".") == true,
      token(index - 1)?.isSign(".") != true
    else { return nil }
    if name == "learning", form == .statement, isWritten(at: index) {
      return "writes to a table of 'learning', which the jobs of this program write: read it only"
    }
    guard name == "jobkit" else { return nil }
    return "names a table of 'jobkit', the ledger of the daemons: write tables of the app alone"
  }

  /// Whether a statement writes to the table that begins here.
  private func isWritten(at index: Int) -> Bool {
    let before = token(index - 1)?.isWord("only") == true ? index - 2 : index - 1
    guard let word = token(before) else { return false }
    return word.isWord("into") || word.isWord("update")
      || word.isWord("from") && token(before - 1)?.isWord("delete") == true
  }

  private static let clauses: Set = ["where", "from", "returning"]

  /// Only what stands behind SET may stand there: the daemon writes the rest.
  private func clauseFault(at index: Int, _ depth: Int) -> String? {
    guard form == .assignments, depth == 0, case .word(let word) = text.tokens[index].kind,
      Self.clauses.contains(word), token(index - 1)?.isWord("distinct") != true,
      token(index - 1)?.isSign(".") != true
    else { return nil }
    return "holds \(word.uppercased()): write assignments, such as \"state = 'closed'\";"
      + " which rows they are for stands in 'where'"
  }
}

extension SQLRules.Form {
  fileprivate var noun: String {
    switch self {
    case .condition, .expression: "expression"
    case .assignments: "list of assignments"
    case .statement: "statement"
    case .query: "query"
    }
  }

  /// With which words a text of this form may begin; any where there are none.
  fileprivate var beginnings: [String] {
    switch self {
    case .condition, .expression, .assignments: []
    case .statement: ["insert", "update", "delete"]
    case .query: ["select", "with"]
    }
  }

  fileprivate var parameters: [SQLParameter] {
    switch self {
    case .expression, .assignments: [.moment, .localDays]
    case .condition: [.moment, .localDays, .since]
    case .statement: [.moment, .localDays, .since, .keys]
    case .query: [.moment, .localDays, .keys]
    }
  }

  fileprivate var listedParameters: String {
    parameters.map { ":\($0.rawValue)" }.listed(with: "or")
  }
}
