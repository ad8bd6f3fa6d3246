import JobKit
import Testing

@Suite struct SettingsSecretTests {
  @Test(arguments: [
    (
      "[database]\nurl = \"postgresql://u:hunter2@h/x\"",
      "2:7: 'database.url' holds a password: put it in a file and name that in"
        + " 'database.password_file'"
    ),
    (
      "[database]\nurl = \"host=h password=hunter2\"",
      "2:7: 'database.url' holds a password: put it in a file and name that in"
        + " 'database.password_file'"
    ),
    (
      "[database]\npassword = \"hunter2\"",
      "2:1: 'database.password' may not stand here: put it in a file and name that in"
        + " 'database.password_file'"
    ),
    (
      "[database]\nurl = postgresql://u:hunter2@h/x",
      "2:7: the value of 'url' is neither a number nor text: write text in quotes"
    ),
    (
      "[database]\nurl = \"postgresql://u:hunter2@h/x",
      "2:7: this text has no end: close it with \""
    ),
    (
      "[database]\npassword = hunter2",
      "2:12: the value of 'password' is neither a number nor text: write text in quotes"
    ),
    (
      "[database]\nurl \"postgresql://u:hunter2@h/x?sslmode=require\"",
      "2:5: this line is no setting: write name = value"
    ),
    (
      "[log]\n\"postgresql://u:hunter2@h\" = 1",
      "2:1: unknown setting '…': write log.format or log.level"
    ),
    (
      "[log]\nformat = \"postgresql://u:hunter2@h\"",
      "2:10: 'log.format' is '…': write \"auto\", \"human\", \"logfmt\" or \"json\""
    ),
    ("password hunter2", "1:10: this line is no setting: write name = value"),
    (
      "[postgresql://u:hunter2@h]",
      "1:12: this line is no table header: write [name] on a line of its own"
    ),
    (
      "url = \"postgresql://u:hunter2@h\\q\"",
      "1:33: cannot read this line: the string is malformed"
    ),
  ])
  func `a password in the file is refused and not repeated`(text: String, said: String) throws {
    let problems = try SampleSettings.problems(in: text)

    #expect(problems == [said])
    #expect(!problems.joined().contains("hunter2"))
  }

  @Test func `a password in the environment is refused and not repeated`() throws {
    let environment = ["WORKER_DATABASE_URL": "postgresql://u:hunter2@h/x"]

    #expect(
      try SampleSettings.problems(in: "", environment: environment) == [
        "environment: 'WORKER_DATABASE_URL' holds a password: put it in a file and name that in"
          + " 'database.password_file'"
      ])
  }
}
