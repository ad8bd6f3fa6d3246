import Postgres
import TestSupport
import Testing

@Suite struct TransactionTests {
  @Test func `what a transaction did is kept when it returns`() throws {
    let database = try accounts()
    let connection = try database.connect()

    let value = try connection.transaction { connection in
      try connection.run("UPDATE account SET amount = 1")
      return try connection.value("SELECT sum(amount)::bigint FROM account", as: Int.self)
    }
    let kept: Int = try database.connect().value("SELECT sum(amount)::bigint FROM account")

    #expect([value, kept] == [2, 2])
    #expect(connection.isInTransaction == false)
  }

  @Test func `what a transaction did is undone when it throws, and the error comes back`() throws {
    let database = try accounts()
    let connection = try database.connect()

    #expect(throws: Marker()) {
      try connection.transaction { connection in
        try connection.run("UPDATE account SET amount = 1")
        throw Marker()
      }
    }
    let kept: Int = try connection.value("SELECT sum(amount)::bigint FROM account")

    #expect(kept == 200)
    #expect(connection.isInTransaction == false)
  }

  @Test func `a closure that throws errors of Postgres only lets only those through`() throws {
    let database = try accounts()
    let connection = try database.connect()

    func count() throws(PostgresError) -> Int {
      try connection.transaction { connection throws(PostgresError) in
        try connection.run("SELECT id FROM account").count
      }
    }

    #expect(try count() == 2)
  }

  @Test func `limits of a transaction end with it`() throws {
    let database = try accounts()
    let connection = try database.connect()
    let limits: Statement =
      "SELECT current_setting('statement_timeout') || ' ' || current_setting('lock_timeout')"

    let inside = try connection.transaction(
      statementLimit: .milliseconds(1500), lockLimit: .seconds(2)
    ) { connection in
      try connection.value(limits, as: String.self)
    }
    let outside: String = try connection.value(limits)

    #expect([inside, outside] == ["1500ms 2s", "0 0"])
  }

  @Test func `the server itself ends a statement over the transaction's limit`() throws {
    let database = try accounts()
    let connection = try database.connect()

    let error = refusal {
      try connection.transaction(statementLimit: .milliseconds(50)) { connection in
        try connection.run("SELECT pg_sleep(60)")
      }
    }

    #expect(
      error?.description
        == "the statement took longer than the server's statement_timeout and was cancelled:"
        + " 'SELECT pg_sleep(60)'"
    )
  }

  @Test func `a lock that is held is not waited for longer than the limit`() throws {
    let database = try accounts()
    let holder = try database.connect()
    let waiter = try database.connect()

    let error = refusal {
      try holder.transaction { holder in
        try holder.run("UPDATE account SET amount = 0 WHERE id = 1")
        try waiter.transaction(lockLimit: .milliseconds(50)) { waiter in
          try waiter.run("UPDATE account SET amount = 1 WHERE id = 1")
        }
      }
    }

    #expect(error?.isLockTimeout == true)
    let told = error?.description ?? ""
    #expect(
      told.hasPrefix(
        "canceling statement due to lock timeout (SQLSTATE 55P03); held by process "), "\(told)")
    #expect(told.contains(", which has a lock on '\(try schema(of: waiter)).account' since 2"))
  }

  @Test func `who holds a lock is found by the tables of all lines of a statement`() throws {
    let database = try accounts()
    let holder = try database.connect()
    let waiter = try database.connect()

    let error = refusal {
      try holder.transaction { holder in
        try holder.run("LOCK TABLE account IN SHARE MODE")
        try waiter.transaction(lockLimit: .milliseconds(50)) { waiter in
          try waiter.run(
            """
            WITH picked AS MATERIALIZED (
              SELECT 1 AS id)
            DELETE FROM account USING picked WHERE account.id = picked.id
            """)
        }
      }
    }

    let told = error?.description ?? ""
    #expect(told.contains("which has a lock on '\(try schema(of: waiter)).account'"), "\(told)")
  }

  @Test func `a statement by itself waits no longer for a lock, and tells who holds it`() throws {
    let database = try accounts()
    let holder = try database.connect()
    let schema = try schema(of: holder)
    var server = try Server(database.url)
    (server.fixesNames, server.lockLimit) = (true, .milliseconds(50))
    let waiter = try Connection(to: server)

    let error = refusal {
      try holder.transaction { holder in
        try holder.run("LOCK TABLE account IN SHARE MODE")
        try waiter.run("UPDATE \(identifier: schema).account SET amount = 1 WHERE id = 1")
      }
    }
    try waiter.run("UPDATE \(identifier: schema).account SET amount = 7 WHERE id = 1")

    #expect(error?.isLockTimeout == true)
    let told = error?.description ?? ""
    #expect(told.contains("which has a lock on '\(schema).account'"), "\(told)")
  }

  private func schema(of connection: borrowing Connection) throws -> String {
    try connection.value("SELECT current_schema()::text")
  }

  @Test func `a transaction waits for a lock as long as the server says, or as it says`() throws {
    let database = try accounts()
    var server = try Server(database.url)
    server.lockLimit = .milliseconds(1500)
    let connection = try Connection(to: server)
    let limit: Statement = "SELECT current_setting('lock_timeout')"

    let usual: String = try connection.transaction { try $0.value(limit) }
    let opened: String = try connection.transaction(opening: [limit]) { _, rows in
      (try rows[0].only[0], [])
    }
    let own: String = try connection.transaction(lockLimit: .seconds(2)) { try $0.value(limit) }
    let outside: String = try connection.value(limit)

    #expect([usual, opened, own, outside] == ["1500ms", "1500ms", "2s", "0"])
  }

  @Test func `a transaction in a transaction is refused`() throws {
    let database = try accounts()
    let connection = try database.connect()

    let error = refusal {
      try connection.transaction { try $0.transaction { try $0.run("SELECT 1") } }
    }

    #expect(
      error?.description
        == "a transaction is open already: use savepoint for a part of it")
  }

  @Test func `a savepoint undoes its part alone`() throws {
    let database = try accounts()
    let connection = try database.connect()

    try connection.transaction { connection in
      try connection.run("UPDATE account SET amount = 1 WHERE id = 1")
      for id in 1...2 {
        _ = refusal {
          try connection.savepoint { connection in
            try connection.run("UPDATE account SET amount = 7 WHERE id = \(id)")
            try connection.savepoint { try $0.run("SELECT 1 / \(id - 1)::bigint") }
          }
        }
      }
    }
    let amounts = try connection.run("SELECT amount FROM account ORDER BY id").map {
      try $0[0, as: Int.self]
    }

    #expect(amounts == [1, 7])
  }

  @Test func `a savepoint needs a transaction`() throws {
    let database = try accounts()
    let connection = try database.connect()

    let error = refusal { try connection.savepoint { try $0.run("SELECT 1") } }

    #expect(error?.description == "a savepoint needs a transaction around it")
  }

  @Test func `an error that is caught inside makes the commit say that nothing was kept`() throws {
    let database = try accounts()
    let connection = try database.connect()

    let error = refusal {
      try connection.transaction { connection in
        try connection.run("UPDATE account SET amount = 1")
        _ = refusal { try connection.run("SELECT 1 / 0") }
      }
    }
    let kept: Int = try connection.value("SELECT sum(amount)::bigint FROM account")

    #expect(
      error?.description
        == "the transaction was rolled back at COMMIT because a statement in it had failed")
    #expect(kept == 200)
  }

  @Test func `a transaction that was ended by a statement in it is refused`() throws {
    let database = try accounts()
    let connection = try database.connect()

    let error = refusal { try connection.transaction { try $0.run("COMMIT") } }

    #expect(
      error?.description
        == "the transaction was ended by a statement inside it: leave that to its end")
  }
}
