import LocalTime
import Testing

@Suite struct DurationWrittenTests {
  @Test(arguments: [
    ("90s", 90), ("5m", 300), ("1h30m", 5_400), ("2d", 172_800), ("1d2h3m4s", 93_784), ("0s", 0),
    ("007s", 7),
  ])
  func `a duration is whole numbers with their units`(text: String, seconds: Int) {
    #expect(Duration(written: text) == .seconds(seconds))
  }

  @Test(arguments: [
    "", "5", "s", "5 m", "5min", "m5", "1m1h", "1m1m", "-5s", "+5s", "1.5h", "5S", "٥s", "5s ",
    "9999999999s", "999999999d", "1h30",
  ])
  func `anything else is none`(text: String) {
    #expect(Duration(written: text) == nil)
  }

  @Test(arguments: [
    (0, "0s"), (59, "59s"), (60, "1m"), (90, "1m30s"), (3_600, "1h"), (93_784, "1d2h3m4s"),
    (-5, "0s"),
  ])
  func `it is written with the longest unit first`(seconds: Int, text: String) {
    #expect(Duration.seconds(seconds).written == text)
  }

  @Test(arguments: [1, 59, 61, 86_399, 86_401, 31_622_400])
  func `what is written reads back`(seconds: Int) {
    #expect(Duration(written: Duration.seconds(seconds).written) == .seconds(seconds))
  }
}
