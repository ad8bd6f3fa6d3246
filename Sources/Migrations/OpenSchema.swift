public import Postgres

/// A schema in which a role of the ledger looks names up, and in which another role may create.
///
/// Commands and jobs look nothing up there, but the owner's and the worker's sessions in psql do: a function that fits
/// a call better than PostgreSQL's own would run with their rights.
public struct OpenSchema: Sendable, Equatable {
  /// The schema, and whoever may create there, as SQL names them.
  let schema: String
  let creator: String

  /// The roles that look names up there, as SQL names them.
  let roles: [String]

  /// Whether it is one of the ledger's: no path leads around it.
  let isOurs: Bool
}

extension OpenSchema {
  /// Those of this role, of the ledger's owner and of `worker`.
  public static func all(
    worker: String?, on connection: borrowing Connection
  ) throws(PostgresError) -> [OpenSchema] {
    var found: [OpenSchema] = []
    for row in try connection.run(query(of: worker)) {
      found.append(
        OpenSchema(
          schema: try row["schema"], creator: try row["creator"], roles: try row["roles"],
          isOurs: try row["is_ours"]))
    }
    return found
  }

  /// What a role looks up is what its settings say, the narrowest of them; roles that may become the owner, whoever
  /// administers the whole database, and superusers have no need to lay traps.
  private static func query(of worker: String?) -> Statement {
    """
    WITH owner AS (
      SELECT coalesce((SELECT nspowner FROM pg_namespace WHERE nspname = 'jobkit'),
        (SELECT oid FROM pg_roles WHERE rolname = current_user)) AS oid
    ), asker AS (
      SELECT pg_roles.oid, rolname FROM pg_roles CROSS JOIN owner
      WHERE rolname IN (current_user, \(worker)) OR pg_roles.oid = owner.oid
    ), looked AS (
      SELECT asker.oid, rolname, false AS is_ours,
        CASE WHEN btrim(part) IN ('"$user"', '$user') THEN rolname::text
          WHEN btrim(part) LIKE '"%' THEN btrim(btrim(part), '"') ELSE lower(btrim(part)) END AS name
      FROM asker CROSS JOIN LATERAL unnest(string_to_array(\(path), ',')) AS part
      UNION
      SELECT oid, rolname, true, unnest(ARRAY['jobkit', 'learning']) FROM asker
    )
    SELECT quote_ident(nspname) AS schema, bool_or(is_ours) AS is_ours,
      CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END AS creator,
      array_agg(DISTINCT quote_ident(rolname) ORDER BY quote_ident(rolname)) AS roles
    FROM looked CROSS JOIN owner JOIN pg_namespace ON nspname = looked.name
    CROSS JOIN LATERAL aclexplode(coalesce(nspacl, acldefault('n', nspowner))) AS acl
    WHERE privilege_type = 'CREATE' AND EXISTS (
      SELECT FROM pg_roles AS other
      WHERE rolcanlogin AND NOT rolsuper AND other.oid <> looked.oid
        AND NOT pg_has_role(other.oid, owner.oid, 'MEMBER')
        AND NOT pg_has_role(other.oid, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'MEMBER')
        AND CASE grantee WHEN 0 THEN true ELSE pg_has_role(other.oid, grantee, 'USAGE') END)
    GROUP BY nspname, grantee ORDER BY nspname, creator
    """
  }

  /// Of a role with a setting of its own nobody sees what the server would give it: that is taken to be as ever.
  private static let path: Statement = """
    coalesce(
      (SELECT substr(setting, 13) FROM pg_db_role_setting CROSS JOIN LATERAL unnest(setconfig) AS setting
        WHERE setting LIKE 'search\\_path=%' AND setrole IN (asker.oid, 0)
          AND setdatabase IN ((SELECT oid FROM pg_database WHERE datname = current_database()), 0)
        ORDER BY setrole = 0, setdatabase = 0 LIMIT 1),
      (SELECT boot_val FROM pg_settings WHERE name = 'search_path'))
    """
}

extension OpenSchema: CustomStringConvertible {
  /// As in `every role (PUBLIC) may create functions in the schema public, where app_owner looks names up`.
  public var description: String {
    let others = creator == "PUBLIC" ? "every role (PUBLIC)" : "the role \(creator)"
    let lookers = roles.joined(separator: " and ") + (roles.count == 1 ? " looks" : " look")
    return "\(others) may create functions in the schema \(schema), where \(lookers) names up"
  }

  /// What an administrator types, each command in quotes.
  public var remedy: String {
    let around = roles.map { "'ALTER ROLE \($0) SET search_path = pg_catalog, pg_temp'" }
    return "'REVOKE CREATE ON SCHEMA \(schema) FROM \(creator)'"
      + (isOurs ? "" : ", or where that must stay \(around.joined(separator: " and "))")
  }
}
