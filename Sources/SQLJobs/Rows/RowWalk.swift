internal import JobKit
internal import Postgres

/// The statements of a job that deletes or changes rows.
typealias RowWalk = KeyWalk<RowJob>

extension RowWalk {
  var condition: Statement { "(\(job.condition.statement(with: values)))" }

  /// How many rows match in a share of them.
  func count(in share: Statement) -> Statement {
    "SELECT count(*) FROM \(table.statement) WHERE \(share) AND \(condition)"
  }

  /// How many rows there are in a share of them, but no more than `most`.
  func size(in share: Statement, upTo most: Int) -> Statement {
    """
    SELECT count(*) FROM (SELECT FROM \(table.statement) WHERE \(share) LIMIT \(most)) AS row
    """
  }

  /// The next rows that match behind a key, with their keys.
  private func next(after cursor: String?, in share: Statement, upTo most: Int) -> Statement {
    let isBehind: Statement =
      cursor.map { "(\(table.columns())) > \(facts.row(ofKey: $0))" } ?? "true"
    // The number is written out: the planner would take a parameter for a tenth of the table.
    return """
      SELECT \(table.columns()) FROM \(table.statement)
      WHERE \(isBehind) AND \(share) AND \(condition)
      ORDER BY \(table.columns()) LIMIT \(verbatim: "\(most)")
      """
  }

  /// How many rows come next behind a key, the last of their keys, and how many columns both keys begin with alike.
  func reach(after cursor: String?, in share: Statement, upTo most: Int) -> Statement {
    """
    WITH picked AS MATERIALIZED (
      \(next(after: cursor, in: share, upTo: most))
    )
    SELECT reach.*, (
      SELECT count(*) FROM generate_series(1, \(table.key.count)) AS place
      WHERE (last::text[])[1:place] = (\(cursor)::text[])[1:place]
    ) AS alike
    FROM (SELECT \(reached)) AS reach
    """
  }

  private var reached: Statement {
    """
    (SELECT count(*) FROM picked) AS picked, (
      SELECT \(table.keyText) FROM picked ORDER BY \(table.columns(" DESC")) LIMIT 1
    ) AS last
    """
  }

  /// Whether a row is behind a key, if there is one, and no farther than another, in SQL.
  ///
  /// The keys are compared as rows, and the columns up to the first that is not `alike` for themselves: of rows the
  /// planner does not see that two bounds make a range, and would read the whole table, or all rows of one first value.
  func isBetween(_ cursor: String?, _ last: String, alike: Int) -> Statement {
    func compare(_ sign: Statement, _ key: String) -> Statement {
      let columns = (0...min(alike, table.key.count - 1)).map { index in
        let sign: Statement = index < alike ? "=" : "\(sign)="
        return "\(identifier: table.key[index]) \(sign) \(facts.value(index, ofKey: key))"
          as Statement
      }
      return columns.joined(by: " AND ")
    }
    let isReached: Statement =
      "(\(table.columns())) <= \(facts.row(ofKey: last)) AND \(compare("<", last))"
    guard let cursor else { return isReached }
    return """
      (\(table.columns())) > \(facts.row(ofKey: cursor)) AND \(compare(">", cursor)) AND \(isReached)
      """
  }

  /// Has the job's own statement change the next rows behind a key, and tells how many there were, the last of their
  /// keys, and how many of which kind have been changed.
  func chunk(
    by text: SQLText, after cursor: String?, in share: Statement, upTo most: Int
  ) -> Statement {
    let own = text.statement(with: values)
    return """
      WITH picked AS MATERIALIZED (
        \(next(after: cursor, in: share, upTo: most))
      ), changed (kind) AS (
        \(text.givesRows ? own : "\(own) RETURNING \(kind ?? "NULL::text")")
      )
      SELECT reach.picked, reach.last, counted.kind, coalesce(counted.changed, 0) AS changed
      FROM (SELECT \(reached)) AS reach
      LEFT JOIN (\(Self.counted)) AS counted ON true
      ORDER BY counted.kind
      """
  }

  /// As what each row is counted that is changed, in SQL; nothing where the job does not say.
  var kind: Statement? {
    job.count.map { "coalesce((\($0.statement(with: values)))::text, 'null')" }
  }

  static var counted: Statement {
    "SELECT kind::text, count(*) AS changed FROM changed GROUP BY 1"
  }
}

extension RowWalk {
  /// Some of the next rows: their keys, and the values of columns.
  func samples(
    of columns: [String], after cursor: String?, in share: Statement, upTo most: Int
  ) -> Statement {
    """
    SELECT \(table.keyText) AS key, \(columns.asTexts) AS texts FROM \(table.statement)
    WHERE (\(table.columns())) IN (\(next(after: cursor, in: share, upTo: most)))
    ORDER BY \(table.columns())
    """
  }

  /// Whether each of some conditions is true of the row with a key.
  func verdicts(on conditions: [Statement], key: String) -> Statement {
    let list = conditions.map { "(\($0))::boolean" as Statement }.joined(by: ", ")
    return """
      SELECT ARRAY[\(list)] AS verdicts FROM \(table.statement)
      WHERE (\(table.columns())) = \(facts.row(ofKey: key))
      """
  }
}

extension [String] {
  /// The values of columns of these names, as a list of texts.
  var asTexts: Statement {
    let list = map { "\(identifier: $0)::text" as Statement }.joined(by: ", ")
    return isEmpty ? "'{}'::text[]" : "ARRAY[\(list)]"
  }
}
