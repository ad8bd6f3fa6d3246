internal import Config
internal import JobKit
internal import LocalTime
internal import Migrations
internal import Postgres

extension PartitionJob {
  func findings(
    parts: Int, percent: Int, at now: Instant, in zones: ZoneDatabase,
    on connection: borrowing Connection
  ) throws -> [JobFinding] {
    do {
      guard parts == 1, percent == 100 else { throw PartitionFault.divided }
      let owners = try table.partitions { try connection.run($0) }.map(\.owner)
      let found = try ownerFindings(owners, on: connection)
      guard found.isEmpty else { return found }
      return try PlanJudge(role: role, needs: "ownership", on: place)
        .findings(of: [(place, "SELECT FROM ONLY \(table.statement)")], on: connection)
    } catch let error as PartitionFault {
      return [JobFinding(place.problem("will not do: \(error)"))]
    }
  }

  /// Only a role that is the owner, or has the owner's rights, may drop a table.
  private func ownerFindings(
    _ partitionOwners: [String], on connection: borrowing Connection
  ) throws -> [JobFinding] {
    let rows = try connection.run(
      """
      SELECT owner::text, rolname::text AS asker, current_user::text AS daemon,
        pg_has_role(owner, 'USAGE') AS is_daemons
      FROM pg_roles CROSS JOIN (
        SELECT tableowner FROM pg_tables
        WHERE schemaname = \(table.schema) AND tablename = \(table.name)
        UNION SELECT unnest(\(partitionOwners)::name[])
      ) AS owned (owner)
      WHERE rolname = coalesce(\(role)::name, current_user)
        AND NOT pg_has_role(rolname, owner, 'USAGE')
      ORDER BY owner LIMIT 1
      """)
    return try rows.map { row in
      let (owner, daemon): (String, String) = (try row["owner"], try row["daemon"])
      let grant = try row["is_daemons"] ? "" : "type 'GRANT \(owner) TO \(daemon)', and "
      return JobFinding(
        place.problem(
          "is out of reach: '\(table.words)' or a partition of it belongs to '\(owner)', and only a table's"
            + " owner may drop it: \(grant)write sql_role = \"\(owner)\" in place of the rights of"
            + " '\(try row["asker", as: String.self])'"))
    }
  }
}

extension PartitionJob {
  func explain(
    key: String, at now: Instant, in zones: ZoneDatabase, from memory: any JobMemory,
    _ connection: borrowing Connection
  ) throws -> KeyExplanation {
    let all = try table.partitions { try connection.run($0) }
    guard let partition = all.first(where: { $0.words == key || $0.name == key }) else {
      throw NoSuchPartition(key: key, table: table.words)
    }
    let limit = now - age
    let isOld = partition.holdsNothing(since: limit)
    let verb = isOld ? "drop" : "leave"
    return KeyExplanation(
      lines: [
        "a run as of \(now) would \(verb) the partition \(partition.words) of \(table.words)",
        "it \(partition.account); a run drops what ends at or before \(limit)",
      ],
      facts: [
        "job": .string(definition.name.text), "table": .string(table.words),
        "partition": .string(partition.words), "moment": .string("\(now)"),
        "ends_at": JSON(partition.end.map { "\($0)" }), "limit": .string("\(limit)"),
        "rows": partition.rows.map { .integer($0) } ?? nil, "matches": .boolean(isOld),
      ])
  }
}

/// A table has no partition of a name.
package struct NoSuchPartition: Error, Equatable, CustomStringConvertible {
  let key: String
  let table: String

  package var description: String {
    "'\(table)' has no partition '\(key)': write the name of one, with its schema or without"
  }
}
