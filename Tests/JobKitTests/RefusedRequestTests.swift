import JobKit
import Postgres
import TestKit
import Testing

/// What `jobkit.request()` refuses, each in one sentence that says what it takes.
@Suite("Requests that are refused")
struct RefusedRequestTests {
  private static let day = "ask for day=2026-03-01"

  @Test(arguments: [
    ("nix", "{}", "there is no job 'nix' to ask for: a daemon has sample"),
    ("silent", "{}", "there is no job 'silent' to ask for: a daemon has sample"),
    (
      "sample", "[1]",
      #"the arguments of a request are an object such as {"day": "2026-03-01"}, and not JSON of type array"#
    ),
    (
      "sample", #"{"dya": 1}"#,
      "the job 'sample' has no argument 'dya': it takes full=true or full=false, day=2026-03-01, n=42, note=VALUE"
    ),
    (
      "sample", #"{"day": "2026-02-30"}"#,
      #"the job 'sample' cannot take "2026-02-30" as 'day': \#(day)"#
    ),
    ("sample", #"{"day": 17}"#, "the job 'sample' cannot take 17 as 'day': \(day)"),
    (
      "sample", #"{"day": {"of": [[[1]]]}}"#,
      #"the job 'sample' cannot take {"of": [[[1]]]} as 'day': \#(day)"#
    ),
    ("sample", #"{"day": null}"#, "the job 'sample' cannot take null as 'day': \(day)"),
    (
      "sample", #"{"full": "yes"}"#,
      #"the job 'sample' cannot take "yes" as 'full': ask for full=true or full=false"#
    ),
    (
      "sample", #"{"n": 1e400}"#,
      "the job 'sample' cannot take 1\(String(repeating: "0", count: 39)) as 'n': ask for n=42"
    ),
    ("sample", #"{"n": 1.5}"#, "the job 'sample' cannot take 1.5 as 'n': ask for n=42"),
    ("sample", #"{"n": 1e200000}"#, "value overflows numeric format"),
    ("sample", #"{"note": "\u0000"}"#, "unsupported Unicode escape sequence"),
    (
      "sample", "{\"note\": \"\(String(repeating: "x", count: 1_000_000))\"}",
      "the job 'sample' cannot take \"\(String(repeating: "x", count: 39)) as 'note': ask for note=VALUE"
        + ", with at most 1000 characters"
    ),
  ])
  func `an argument that a job does not take is refused, with what it takes`(
    job: String, arguments: String, sentence: String
  ) throws {
    let stage = try stage()

    let error = #expect(throws: PostgresError.self) {
      _ = try stage.request(job, arguments)
    }

    #expect(error?.report?.message == sentence)
    #expect(try stage.count("SELECT count(*) FROM jobkit.run") == 0)
  }

  @Test(arguments: [
    ("", nil, "a key has 1 to 200 characters, and not 0"),
    (String(repeating: "k", count: 201), nil, "a key has 1 to 200 characters, and not 201"),
    (
      "k", "infinity",
      "a run cannot be asked for at infinity: write a time from 1970 on and at most ten years ahead"
    ),
    (
      "k", "-infinity",
      "a run cannot be asked for at -infinity: write a time from 1970 on and at most ten years ahead"
    ),
  ])
  func `a key or a time that is none is refused`(key: String, time: String?, sentence: String)
    throws
  {
    let stage = try stage()

    let error = #expect(throws: PostgresError.self) {
      _ = try stage.request("sample", key: key, at: time)
    }

    #expect(error?.report?.message == sentence)
  }

  /// A stage on which a daemon has told of the job sample, and no daemon yet of the job silent.
  private func stage() throws -> Stage {
    let stage = try Stage(at: "2026-03-01T10:00:00Z")
    _ = try stage.scheduler(.sample("silent"))
    try stage.offer(.sample())
    return stage
  }
}
