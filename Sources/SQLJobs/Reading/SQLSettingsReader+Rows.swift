internal import Config
internal import JobKit
internal import Migrations

extension SQLSettingsReader {
  /// A job that deletes or changes rows; nothing when something is wrong, which is noted.
  mutating func readRowJob() -> RowJob? {
    let before = table.problems.count
    let place = readTable(isWritten: kind != .statement)
    let key = readKey("the columns of a unique index in its order, such as \"user_id, cart_id\"")
    let condition = readSQL("where", .condition, "a condition, such as \"state = 'open'\"")
    let change = readChange()
    let count = readOptionalSQL("count", "the column by whose values changed rows are counted")
    let check = readOptionalSQL("check", "a condition that no row may meet after a run")
    let chunk = table.read("chunk", as: .count(1...100_000, suchAs: 1000), else: 1000)
    let mostShare = table.read("most_share", as: .share, else: nil)
    let explanation = table.take("explain", as: .explanation)
    let role = readRole()
    let asksWhatIsNew = [condition, change?.text].contains { $0?.names(.since) ?? false }
    let mayBackfill = readBackfill(asksWhatIsNew)
    let purpose = readPurpose(change?.purpose(of: place?.name.words ?? "") ?? "")
    guard !isFaulty(since: before), let place, let key, let condition, let change else {
      return nil
    }
    let target = SQLTable(place.name, key: key.columns)
    return RowJob(
      definition: JobDefinition(
        inSQL: name, purpose, needs: [(target.words, change.rights)], role: role,
        mayBackfill: mayBackfill, asksWhatIsNew: asksWhatIsNew),
      table: target, change: change, condition: condition, count: count, check: check,
      chunk: chunk, mostShare: mostShare, explanation: explanation?.value, role: role,
      listing: listing, text: text, places: .init(table: place.text, key: key.text))
  }

  private mutating func readChange() -> RowChange? {
    switch kind {
    case .set:
      readSQL("set", .assignments, "assignments, such as \"state = 'closed'\"").map(RowChange.set)
    case .statement:
      readSQL(
        "statement", .statement,
        "an INSERT, UPDATE or DELETE of the rows whose keys are IN (:keys)"
      ).map(RowChange.statement)
    case .delete, .rollUp, .dropPartitions: .delete
    }
  }

  private mutating func readBackfill(_ asksWhatIsNew: Bool) -> Bool {
    guard let (value, place) = table.take("backfill", as: .flag) else { return false }
    if value, asksWhatIsNew {
      table.note(
        .forbidden(
          name: table.name(of: "backfill"),
          reason: "is true beside ':since', and a run of the past finds nothing that is new:"
            + " leave one of them out"), at: place)
    }
    return value
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

extension JobDefinition {
  /// A job in SQL; the file says when it runs, and a day stands for what it does not say.
  init(
    inSQL name: JobName, _ purpose: String, needs: [(table: String, rights: [String])],
    role: String?, mayBackfill: Bool = false, asksWhatIsNew: Bool = false
  ) {
    var policies = Policies()
    policies.mayBackfill = mayBackfill
    self.init(
      name: name, purpose: purpose, schedule: .every(.seconds(86_400)), policies: policies,
      arguments: asksWhatIsNew ? [.full] : [],
      // What another role may do is for the statements to find out.
      needs: role == nil ? needs.map { TableNeed($0.table, $0.rights) } : [])
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
