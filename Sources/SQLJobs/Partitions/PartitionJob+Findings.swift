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
      return try ownerFindings(owners, on: connection)
    } catch let error as PartitionFault {
      return [JobFinding(place.problem("will not do: \(error)"))]
    }
  }

  /// Only a role that is the owner, or has the owner's rights, may drop a table.
  private func ownerFindings(
    _ partitionOwners: [String], on connection: borrowing Connection
  ) throws -> [JobFinding] {
    let row = try connection.run(
      """
      SELECT current_user::text AS daemon, tableowner::text AS owner,
        pg_has_role(coalesce(role.name, current_user), tableowner, 'USAGE') AS is_owner,
        (SELECT array_agg(DISTINCT other) FROM unnest(\(partitionOwners)::text[]) AS other
          WHERE NOT pg_has_role(coalesce(role.name, current_user), other::name, 'USAGE')) AS others
      FROM pg_tables CROSS JOIN (SELECT \(role)::name AS name) AS role
      WHERE schemaname = \(table.schema) AND tablename = \(table.name)
      """
    ).only
    let others: [String]? = try row["others"]
    guard try !row["is_owner", as: Bool.self] || others != nil else { return [] }
    let owner: String = try others?.first ?? row["owner"]
    let asker: String = try role ?? row["daemon"]
    return [
      JobFinding(
        place.problem(
          "is out of reach: '\(table.words)' or a partition of it belongs to '\(owner)', and only a table's"
            + " owner may drop it: type 'GRANT \(owner) TO \(try row["daemon", as: String.self])',"
            + " and write sql_role = \"\(owner)\" in place of the rights of '\(asker)'"))
    ]
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
struct NoSuchPartition: Error, Equatable, CustomStringConvertible {
  let key: String
  let table: String

  var description: String {
    "'\(table)' has no partition '\(key)': write the name of one, with its schema or without"
  }
}
