import Config
import JobKit
import LocalTime
import Postgres
import Settings
import TestKit
import TestSupport
import Testing

@testable import SQLJobs

@Suite("Jobs that count groups of rows and are refused")
struct RollUpRefusalTests {
  @Test(arguments: [
    (
      "AS purchases", "AS purchase",
      "'jobs.days.select' will not do: 'shop.day' has no column 'purchase': write some of day,"
        + " purchases, amount"
    ),
    (
      "bought_at::date AS day, count(*) AS", "bought_at::date - '2026-01-01' AS",
      "'jobs.days.select' will not do: it gives no column 'day', which is of the key of 'shop.day':"
        + " give every column of the key its name"
    ),
    (
      "\"shop.purchase\"", "\"shop.sale\"",
      "'jobs.days.table' will not do: there is no table 'shop.sale': create it, or write the name"
        + " that it has, with its schema"
    ),
    (
      "sum(amount)", "sum(price)",
      "'jobs.days.select' is refused by PostgreSQL: column \"price\" does not exist"
        + " (SQLSTATE 42703)"
    ),
    (
      "\"shop.day\"", "\"shop.days\"",
      "'jobs.days.into' will not do: there is no table 'shop.days': create it, or write the name"
        + " that it has, with its schema"
    ),
  ])
  func `what the database has against it is said of the setting`(
    part: String, other: String, said: String
  ) throws {
    let stage = try Stage.purchases()
    let text = Described.countingText().replacing(part, with: other)

    let found = try Described(text).job.findings(
      parts: 1, percent: 100, at: stage.now, in: stage.zones, on: stage.connection)

    #expect(found.count == 1)
    #expect(found.first?.problem.description.hasSuffix(said) == true)
  }

  @Test func `a job that can run has nothing against it, and counts nothing then`() throws {
    let stage = try Stage.purchases()

    let found = try Described.counting("check = \"purchases < 0\"").job.findings(
      parts: 1, percent: 100, at: stage.now, in: stage.zones, on: stage.connection)

    #expect(found.isEmpty)
    #expect(try stage.count("SELECT count(*) FROM shop.day") == 0)
  }

  @Test(arguments: [
    (
      "(:keys)", "(SELECT 1)",
      "8:1: 'jobs.days.select' does not name ':keys', so that each chunk would do the same: write"
        + " … IN (:keys)"
    ),
    (
      "SELECT bought", "INSERT bought",
      "8:1: 'jobs.days.select' begins with no SELECT or WITH: write one of them"
    ),
    (
      ", written_in\"", "\"",
      "11:11: 'jobs.days.changed' names one column, and rows that commit late would be left out:"
        + " write a second one, which says in which transaction a row was written, or 'lookback',"
        + " such as \"1h\", for how late they may be"
    ),
    (
      "bought_at::date\"", "bought_at::date, amount\"",
      "6:7: 'jobs.days.by' has 2 expressions for 1 column of 'key': write an expression for each"
        + " column of 'key', such as \"ordered_at::date\""
    ),
    (
      "every", "where = \"true\"\nevery",
      "12:1: 'jobs.days.where' stands in a job of another kind: leave it out, or write kind ="
        + " \"delete\", \"set\" or \"statement\""
    ),
    (
      "most = 1000", "",
      "1:7: 'jobs.days' has no 'most': write how many groups a run may count before somebody approves"
        + " of it, such as most = 10000"
    ),
    (
      "most = 1000", "most = 1000\noverlap = \"allow\"",
      "14:11: 'jobs.days.overlap' is \"allow\": of two runs at once the later to write may have counted"
        + " the earlier rows; leave it out"
    ),
  ])
  func `what cannot be counted is refused`(part: String, other: String, said: String) throws {
    let text = Described.countingText().replacing(part, with: other)

    #expect(try Described.problems(in: text) == [said])
  }
}
