internal import Postgres

/// What a role may do that no daemon needs.
struct RolePowers {
  let role: String
  let isSuperuser: Bool

  /// Each as the end of a sentence that begins with the role.
  let excess: [String]

  init(on connection: borrowing Connection) throws(PostgresError) {
    let row = try connection.run(Self.asked).only
    role = try row["role"]
    isSuperuser = try row["is_superuser"]
    var excess: [String] = []
    if let owned: String = try row["owned"] {
      excess.append("owns, or may act as the owner of, \(owned)")
    }
    if let created: String = try row["created"] { excess.append("may create tables in \(created)") }
    if try row["creates_schemas"] { excess.append("may create schemas in this database") }
    if let attributes: String = try row["attributes"] { excess.append("has \(attributes)") }
    if let roles: String = try row["roles"] { excess.append("is a member of \(roles)") }
    if let tables: String = try row["tables"] {
      excess.append("may empty, or hang triggers on, \(tables)")
    }
    self.excess = excess
  }

  /// Whether the role sees the ledger and may write nothing in it, as a reader.
  func mayOnlyLook(on connection: borrowing Connection) throws(PostgresError) -> Bool {
    try connection.run(
      """
      SELECT bool_or(has_any_column_privilege(class.oid, 'SELECT'))
        AND NOT bool_or(has_any_column_privilege(class.oid, 'INSERT, UPDATE')
          OR has_table_privilege(class.oid, 'DELETE'))
      FROM pg_class AS class JOIN pg_namespace AS schema ON schema.oid = relnamespace
      WHERE nspname = 'jobkit' AND relkind = 'r'
      """
    ).only[0]
  }

  private static let asked: Statement = """
    SELECT rolname::text AS role, rolsuper AS is_superuser,
      (SELECT string_agg(nspname, ', ' ORDER BY nspname) FROM pg_namespace
        WHERE nspname IN ('jobkit', 'learning') AND pg_has_role(me.oid, nspowner, 'MEMBER')) AS owned,
      (SELECT string_agg(nspname, ', ' ORDER BY nspname) FROM pg_namespace
        WHERE nspname IN ('jobkit', 'learning', 'public') AND has_schema_privilege(me.oid, oid, 'CREATE')
          -- What everybody may create there, another check warns of.
          AND NOT (nspname = 'public' AND has_schema_privilege('public', oid, 'CREATE'))
          AND NOT pg_has_role(me.oid, nspowner, 'MEMBER')) AS created,
      has_database_privilege(me.oid, current_database(), 'CREATE') AS creates_schemas,
      nullif(concat_ws(', ', CASE WHEN rolcreaterole THEN 'CREATEROLE' END,
        CASE WHEN rolcreatedb THEN 'CREATEDB' END, CASE WHEN rolreplication THEN 'REPLICATION' END,
        CASE WHEN rolbypassrls THEN 'BYPASSRLS' END), '') AS attributes,
      (SELECT string_agg(rolname, ', ' ORDER BY rolname) FROM pg_roles AS other
        WHERE rolname IN ('pg_read_all_data', 'pg_write_all_data', 'pg_read_server_files',
            'pg_write_server_files', 'pg_execute_server_program')
          AND pg_has_role(me.oid, other.oid, 'MEMBER')) AS roles,
      (SELECT string_agg(pg_class.oid::regclass::text, ', ' ORDER BY relname) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = ANY(ARRAY(SELECT oid FROM pg_namespace
            WHERE nspname IN ('jobkit', 'learning') AND NOT pg_has_role(me.oid, nspowner, 'MEMBER')))
          AND (has_table_privilege(me.oid, pg_class.oid, 'TRUNCATE')
            OR has_table_privilege(me.oid, pg_class.oid, 'TRIGGER'))) AS tables
    FROM pg_roles AS me WHERE rolname = current_user
    """
}
