import Testing

@testable import JobKit

@Suite("Counters")
struct CountersTests {
  @Test func `a reason is counted under its state, and shown there`() {
    var counters = Counters()
    counters.count("expired", because: "window_passed", 1397)
    counters.count("planned", because: nil, 30)
    counters.count("suppressed", because: "quiet_hours", 2)
    counters.count("suppressed", because: "opted_out", 6)
    counters.count("suppressed", because: "no_device")

    #expect(counters["suppressed"] == 9 && counters["suppressed/opted_out"] == 6)
    #expect(
      counters.text
        == "expired 1397 (window_passed 1397), planned 30, suppressed 9 (quiet_hours 2, opted_out 6,"
        + " no_device 1)")
  }

  @Test func `a part without its whole stands by itself`() {
    let counters = Counters(names: ["a/b", "c"], values: [1, 2])

    #expect(counters.text == "a/b 1, c 2")
  }
}
