import Testing

@testable import fuzz

@Suite struct SettingsFuzzTests {
  @Test func `no text breaks the reader, and what it refuses it refuses in safe words`() throws {
    var fuzz = SettingsFuzz(seed: 20_261_120, zones: try SampleSettings.zones.get())

    let tally = fuzz.run(count: 24_000)

    #expect(tally.broken == [])
    #expect(tally.accepted > 500)
    #expect(tally.refused > 1_000)
  }
}
