import LocalTime
import Testing

@testable import WorkerProgram

@Suite("How far a simulation is")
struct SimulationProgressTests {
  @Test func `on a terminal the line differs for each thousandth`() throws {
    let (start, end) = (try Instant("2026-03-08T00:00:00Z"), try Instant("2026-03-09T00:00:00Z"))
    var progress = SimulationProgress(from: start, to: end)

    let lines = (0..<86_400).compactMap { progress.line(at: start.advanced(bySeconds: $0)) }

    #expect(lines.count == 1000)
    #expect(lines[500] == "simulated up to 2026-03-08T12:00:00Z of 2026-03-09T00:00:00Z, 50 %")
  }
}
