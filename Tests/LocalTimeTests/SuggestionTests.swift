import LocalTime
import Testing

/// "Did you mean".
struct SuggestionTests {
  @Test(arguments: [
    ("wrkers", "workers"), ("WORKERS", "workers"), ("worksre", "workers"), ("workerss", "workers"),
    ("databse", "database"), ("zoen", "zone"), ("zone", "zone"),
  ])
  func `a slip of the keys finds the name that was meant`(text: String, name: String) {
    #expect(closest(to: text, in: ["database", "workers", "zone"]) == name)
  }

  @Test(arguments: ["", "x", "colour", "wk", "workersandmore"])
  func `what is like nothing gets no suggestion`(text: String) {
    #expect(closest(to: text, in: ["database", "workers", "zone"]) == nil)
  }

  @Test func `a short name has one slip at most`() {
    #expect(closest(to: "logs", in: ["jobs"]) == nil)
    #expect(closest(to: "job", in: ["json"]) == nil)
    #expect(closest(to: "jbos", in: ["jobs"]) == "jobs")
  }

  @Test func `the nearer name wins, and of equals the first`() {
    #expect(closest(to: "jobs", in: ["jots", "job", "jobz"]) == "jots")
    #expect(closest(to: "retry", in: ["entry", "retr", "retries"]) == "retr")
  }
}
