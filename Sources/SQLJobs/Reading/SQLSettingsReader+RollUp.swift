internal import Config
internal import JobKit

extension SQLSettingsReader {
  /// A job that counts groups of rows; nothing when something is wrong, which is noted.
  mutating func readRollUp() -> RollUpJob? {
    let before = table.problems.count
    let source = readTable(isWritten: false)
    let into = readTable("into")
    let key = readKey("the columns of a unique index of 'into' in its order, such as \"day\"")
    let groups = readGroups(for: key?.columns ?? [])
    let select = readSQL(
      "select", .query, "a SELECT that counts the groups whose keys are IN (:keys)")
    let changed = readChanged()
    let check = readOptionalSQL(
      "check", "a condition that no row of 'into' may meet after a run")
    let chunk = table.read("chunk", as: .count(1...100_000, suchAs: 100), else: 100)
    let role = readRole()
    let names = [source, into].map { $0?.name.words ?? "" }
    let purpose = readPurpose("counts \(names[0]) into \(names[1])")
    guard !isFaulty(since: before), let source, let into, let key, let groups, let select,
      let changed
    else { return nil }
    return RollUpJob(
      definition: JobDefinition(
        inSQL: name, purpose,
        needs: [
          (names[0], ["SELECT"]), (names[1], ["SELECT", "INSERT", "UPDATE", "DELETE"]),
        ], role: role, asksWhatIsNew: true),
      source: source.name, table: SQLTable(into.name, key: key.columns), groups: groups,
      select: select, changed: changed, check: check, chunk: chunk, role: role, listing: listing,
      text: text, places: .init(table: into.text, key: key.text), sourcePlace: source.text)
  }

  /// What each column of the key is of a row that is counted: by default a column of the same name.
  private mutating func readGroups(for key: [String]) -> [SQLText]? {
    guard table["by"] != nil else {
      let names = key.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
      return names.map { SQLText(table.text($0, of: "key", at: position)) }
    }
    let before = table.problems.count
    let wanted = "an expression for each column of 'key', such as \"ordered_at::date\""
    guard let whole = readOptionalSQL("by", wanted), !isFaulty(since: before) else { return nil }
    let pieces = whole.listed
    guard pieces.count == key.count else {
      table.note(
        whole.problem(
          "has \(pieces.count.counted("expression")) for \(key.count.counted("column")) of 'key':"
            + " write \(wanted)"))
      return nil
    }
    return pieces
  }

  private mutating func readChanged() -> RollUpJob.Changed? {
    let wanted =
      "the columns that say when a row was received and in which transaction it was written, such as"
      + " \"received_at, written_in\""
    let lookback = table.read(
      "lookback", as: .secondsOrNone(1...366 * 86_400, suchAs: "7d"),
      else: nil)
    guard let (value, place) = required("changed", wanted) else { return nil }
    let text = table.text(value, of: "changed", at: place)
    guard let columns = SQLLexer.tokens(of: value).listedNames, columns.count <= 2,
      let received = columns.first
    else {
      table.note(text.problem("is \(value.inQuotes): write \(wanted)"))
      return nil
    }
    guard columns.count == 2 || lookback != nil else {
      table.note(
        text.problem(
          "names one column, and rows that commit late would be left out: write a second one, which"
            + " says in which transaction a row was written, or 'lookback', such as \"1h\", for how"
            + " late they may be"))
      return nil
    }
    return RollUpJob.Changed(
      received: received, written: columns.count == 2 ? columns[1] : nil, lookback: lookback)
  }
}

extension SQLText {
  /// The expressions of a list with commas between them.
  fileprivate var listed: [SQLText] {
    var (depth, pieces) = (0, [[SQLToken]](repeating: [], count: 1))
    for token in tokens {
      if token.isSign("(") || token.isSign("[") { depth += 1 }
      if token.isSign(")") || token.isSign("]") { depth -= 1 }
      if depth == 0, token.isSign(",") {
        pieces.append([])
      } else {
        pieces[pieces.count - 1].append(token)
      }
    }
    return pieces.map { SQLText(setting.with(text: sql(of: $0))) }
  }
}
