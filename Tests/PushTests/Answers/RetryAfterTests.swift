import LocalTime
import Testing

@testable import Push

@Suite("When a provider wants to be asked again")
struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private let now = Instant(secondsSince1970: 784_111_777)

  @Test(arguments: [
    ("30", 30), (" 30 ", 30), ("0", 1), ("3600", 3600), ("3601", 3600),
    ("99999999999999999999", 3600), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 1), ("Sun, 06 Nov 1994 07:49:37 GMT", 1),
    ("Mon, 07 Nov 1994 08:49:37 GMT", 3600),
  ])
  func `seconds and dates are waits of a second to an hour`(text: String, seconds: Int) {
    #expect(RetryAfter.wait(text, at: now) == .seconds(seconds))
  }

  @Test(arguments: [
    nil, "", " ", "-1", "1.5", "soon", "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 25:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
  ])
  func `what cannot be read asks for nothing`(text: String?) {
    #expect(RetryAfter.wait(text, at: now) == nil)
  }
}
