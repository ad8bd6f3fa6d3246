extension Session {
  /// The same error; of a lock that was not had in time, with who seems to hold it.
  func namingHolder(in error: any Error) -> any Error {
    (error as? PostgresError).map { namingHolder(in: $0) } ?? error
  }

  /// The same error; of a lock that was not had in time, with who seems to hold it.
  ///
  /// It is asked after the transaction, in which nothing can be asked any more: whoever let go in between is
  /// not found, and then nobody is named.
  func namingHolder(in error: PostgresError) -> PostgresError {
    guard error.isLockTimeout, case .failed(var report) = error, report.holder == nil,
      isOpen, !isInTransaction
    else { return error }
    report.holder = try? holder(of: "\(report.whole ?? "") \(report.context ?? "")")
    report.whole = nil
    return .failed(report)
  }

  /// Who has the strongest lock, and has had it longest, on a table that is named in `words`: with its schema, or without
  /// where it is found so.
  ///
  /// Who only refers to rows, as with a foreign key, mostly keeps nobody, and comes behind the others. Who only reads comes
  /// last, and only where the words want the table for themselves: it keeps no other statement. A role may not see since
  /// when another has it: then it comes first, as who works here is of one role.
  func holder(of words: String) throws(PostgresError) -> LockHolder? {
    let rows = Rows(
      try run(
        """
        SELECT lock.pid::bigint AS process, coalesce('process ' || lock.pid::text, 'a prepared transaction')
          || coalesce(' of role ''' || activity.usename::text || '''', '')
          || coalesce(' (' || nullif(activity.application_name, ''::text) || ')', '')
          || ', which has a lock on ''' || namespace.nspname::text || '.' || class.relname::text
          || '''' || coalesce(' since ' || pg_catalog.to_char(
            pg_catalog.timezone('UTC', activity.xact_start), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '')
          AS account
        FROM pg_catalog.pg_locks AS lock
          JOIN pg_catalog.pg_class AS class ON class.oid = lock.relation
          JOIN pg_catalog.pg_namespace AS namespace ON namespace.oid = class.relnamespace
          LEFT JOIN pg_catalog.pg_stat_activity AS activity ON activity.pid = lock.pid
        WHERE lock.locktype = 'relation' AND lock.granted AND (
            lock.mode <> 'AccessShareLock' OR \(words) ~* '\\m(access exclusive|alter|drop|truncate)\\M')
          AND lock.pid IS DISTINCT FROM pg_catalog.pg_backend_pid()
          AND lock.database = (
            SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
          AND class.relkind IN ('r', 'p') AND namespace.nspname !~ '^(pg_|information_schema$)'
          AND \(words) ~ \(name)
        ORDER BY lock.mode = 'AccessShareLock', lock.mode = 'RowShareLock',
          lock.mode = 'RowExclusiveLock', activity.xact_start NULLS FIRST
        LIMIT 1
        """, limit: .seconds(2)))
    guard let row = rows.first else { return nil }
    return LockHolder(process: try row["process"], account: try row["account"])
  }

  /// The name of a table as an expression that it matches in SQL, and that no part of another name does.
  private var name: Statement {
    let edge = "[:alnum:]_$"
    return """
      ('(?<![\(verbatim: edge)."])("?' || \(escaped("namespace.nspname")) || '"?[.])'
        || CASE WHEN pg_catalog.pg_table_is_visible(class.oid) THEN '?' ELSE '' END
        || '"?' || \(escaped("class.relname")) || '"?(?![\(verbatim: edge)])')
      """
  }

  private func escaped(_ name: Statement) -> Statement {
    #"pg_catalog.regexp_replace(\#(name)::text, '[^[:alnum:]_]', '\\\&', 'g')"#
  }
}
