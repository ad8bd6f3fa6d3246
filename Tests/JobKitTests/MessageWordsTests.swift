import Config
@testable import JobKit
@testable import Ledger
@testable import Runner

import LocalTime
import Testing

@Suite("Messages in words")
struct MessageWordsTests {
  private func message(
    _ event: NoticeEvent, times: Int = 1, reason: String? = nil
  ) throws -> WrittenMessage {
    var message = NoticeMessage(
      id: 7, event: event, job: "sample", firstAt: try Instant("2026-03-01T10:00:00Z"),
      lastAt: try Instant(times == 1 ? "2026-03-01T10:00:00Z" : "2026-03-01T10:09:00Z"),
      madeAt: try Instant("2026-03-01T10:09:00Z"))
    (message.times, message.run, message.reason) = (times, 1284, reason)
    return WrittenMessage(message, from: "host", next: try Instant("2026-03-01T10:10:00Z"))
  }

  @Test func `a failure says what, why, what happens next and what to do`() throws {
    #expect(
      try message(.failed, reason: "a mishap").text == """
        sample failed
        run 1284, at 2026-03-01T10:00:00Z
        why: a mishap
        next: what failed is not tried again by itself; the job runs next at 2026-03-01T10:10:00Z
        do: worker show 1284
        do: worker retry 1284
        """)
  }

  @Test func `many failures say how many, from when to when`() throws {
    #expect(
      try message(.failed, times: 300).text.hasPrefix(
        """
        sample failed 300 times
        from 2026-03-01T10:00:00Z to 2026-03-01T10:09:00Z, the latest is run 1284
        """))
  }

  @Test(arguments: [
    (NoticeEvent.missed, 9, "sample missed 9 ticks"), (.missed, 1, "sample missed a tick"),
    (.outage, 177, "no daemon ran for 9m: 177 ticks were missed"),
    (.outage, 1, "no daemon ran for 0s: a tick was missed"),
    (.blocked, 1, "sample cannot run"), (.held, 1, "sample waits for approval"),
    (.pausedTooLong, 1, "sample is still paused"),
    (.late, 1, "sample is late"), (.late, 2, "sample is late with 2 runs"),
    (.recovered, 1, "sample succeeded again after a failure"),
    (.recovered, 3, "sample succeeded again after 3 failures"),
    (.test, 1, "a test: messages of the worker arrive"),
  ])
  func `each event has a title`(event: NoticeEvent, times: Int, title: String) throws {
    #expect(try message(event, times: times).title == title)
  }

  @Test func `programs get the same as JSON`() throws {
    #expect(
      try message(.late).json.pretty == """
        {
          "id": 7,
          "event": "late",
          "job": "sample",
          "run": 1284,
          "times": 1,
          "first_at": "2026-03-01T10:00:00Z",
          "last_at": "2026-03-01T10:00:00Z",
          "reason": null,
          "next": "2026-03-01T10:10:00Z",
          "title": "sample is late",
          "text": "sample is late\\nrun 1284, at 2026-03-01T10:00:00Z\\nnext: it runs as soon as a worker is \
        free, or is missed when it waits too long\\ndo: worker show 1284\\ndo: worker ps",
          "commands": [
            "worker show 1284",
            "worker ps"
          ],
          "sender": "host"
        }
        """)
  }

  @Test(arguments: [
    (
      "relation missing, in 'UPDATE app.thing'",
      "relation missing, in 'UPDATE app.thing'"
    ),
    ("Key (user_id)=(17) is not present", "Key (user_id)=(…) is not present"),
    ("user 17 is odd", "user … is odd"), ("account_id 17 is odd", "account_id … is odd"),
    ("key: 17 is odd", "key: … is odd"), ("user_id = 17 is odd", "user_id = … is odd"),
    ("mail to ana@example.com failed", "mail to … failed"),
    ("cannot reach https://u:p@host/secret: no", "cannot reach … no"),
    ("token abcdef0123456789abcdef is dead", "token … is dead"),
    ("invalid input syntax for type date: \"Ana\"", "invalid input syntax for type date: \"…\""),
    ("first line\nsecond line", "first line"),
    ("a\u{1B}[2J\u{202E}b", #"a\u{1B}[2J\u{202E}b"#),
  ])
  func `a reason goes out without what may be a person's, or a secret`(
    reason: String, text: String
  ) {
    #expect(PublicReason(reason).text == text)
  }

  @Test func `a long reason is cut`() {
    #expect(PublicReason(String(repeating: "a ", count: 400)).text.count == 300)
  }
}
