import Postgres
import TestSupport
import Testing

@Suite struct ConflictTests {
  @Test(arguments: [
    (
      "INSERT INTO account VALUES (1, 1)", "account_pkey",
      "constraint 'account_pkey' on 'account' refuses it: "
        + "duplicate key value violates unique constraint \"account_pkey\" (SQLSTATE 23505), in"
        + " 'INSERT INTO account VALUES (1, 1)'"
    ),
    (
      "INSERT INTO note VALUES (1000, 1)", "small",
      "constraint 'small' on 'note' refuses it: "
        + "new row for relation \"note\" violates check constraint \"small\" (SQLSTATE 23514), in"
        + " 'INSERT INTO note VALUES (1000, 1)'"
    ),
    (
      "INSERT INTO account VALUES (3, NULL)", nil,
      "column 'account.amount' refuses it: "
        + "null value in column \"amount\" of relation \"account\" violates not-null constraint "
        + "(SQLSTATE 23502), in 'INSERT INTO account VALUES (3, NULL)'"
    ),
    (
      "INSERT INTO note VALUES (1, 9)", "note_account",
      "constraint 'note_account' on 'note' refuses it: insert or update on table \"note\" "
        + "violates foreign key constraint \"note_account\" (SQLSTATE 23503), in 'COMMIT'"
    ),
  ])
  func `a constraint is named, also when it speaks at the commit only`(
    sql: String, constraint: String?, message: String
  ) throws {
    let database = try accounts()
    let connection = try database.connect()

    let error = refusal { try connection.transaction { try $0.run(Statement(verbatim: sql)) } }

    guard case .constraint(let report)? = error else {
      Issue.record("\(told(error))")
      return
    }
    #expect(report.constraint == constraint)
    #expect(error?.description == message)
    #expect(connection.isInTransaction == false)
  }

  @Test func `a table without a partition for a row is named`() throws {
    let database = try TestDatabase()
    let connection = try database.connect()
    try connection.run(script: "CREATE TABLE hit (day int) PARTITION BY LIST (day)")

    let error = refusal { try connection.run("INSERT INTO hit VALUES (1)") }

    #expect(
      error?.description
        == "table 'hit' refuses it: no partition of relation \"hit\" found for row (SQLSTATE 23514),"
        + " in 'INSERT INTO hit VALUES (1)'")
  }

  @Test func `a serialization failure says to try again`() throws {
    let database = try accounts()
    let one = try database.connect()
    let other = try database.connect()
    let sum: Statement = "SELECT sum(amount)::bigint FROM account"

    let error = refusal {
      try one.transaction(isolation: .serializable) { one in
        try one.run(sum)
        try other.transaction(isolation: .serializable) { other in
          try other.run(sum)
          try other.run("UPDATE account SET amount = 0 WHERE id = 1")
        }
        try one.run("UPDATE account SET amount = 0 WHERE id = 2")
      }
    }

    #expect(error?.isRetryable == true)
    #expect(
      error?.description
        == "another transaction got in the way: "
        + "could not serialize access due to read/write dependencies among transactions "
        + "(SQLSTATE 40001); hint: The transaction might succeed if retried., in "
        + "'UPDATE account SET amount = 0 WHERE id = 2'; "
        + "try the transaction again")
  }

  @Test func `a deadlock ends for one of the two, which is told to try again`() throws {
    let database = try accounts()
    let url = database.url
    let one = try database.connect()
    try one.run(script: "SET deadlock_timeout = '10ms'")

    let errors = try one.transaction { one in
      try one.run("UPDATE account SET amount = 1 WHERE id = 1")
      let thread = TestThread {
        let other = try Connection(to: Server(url))
        return refusal {
          try other.transaction { other in
            try other.run("UPDATE account SET amount = 2 WHERE id = 2")
            try other.run("UPDATE account SET amount = 2 WHERE id = 1")
          }
        }
      }
      let watcher = try database.connect()
      try eventually {
        try watcher.value(
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
          == 1
      }
      let mine = refusal { try one.run("UPDATE account SET amount = 1 WHERE id = 2") }
      if mine != nil { try one.run(script: "ROLLBACK; BEGIN") }
      return [mine, try thread.value()].compactMap(\.self)
    }

    #expect(errors.map(\.report?.sqlState) == ["40P01"])
    #expect(errors.first?.isRetryable == true)
  }
}
