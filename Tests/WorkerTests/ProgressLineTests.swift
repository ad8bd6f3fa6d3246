import Testing

@testable import WorkerProgram

@Suite("Progress")
struct ProgressLineTests {
  @Test(arguments: [
    (0, nil, 0, nil), (412, nil, 412, "412 done  41/s"),
    (0, 100, 0, "░░░░░░░░░░░░░░░░░░░░░░░░ 0 %  0/100"),
    (50, 100, 50, "████████████░░░░░░░░░░░░ 50 %  50/100  5/s  10 s left"),
    (90, 100, 10, "█████████████████████░░░ 90 %  90/100  1/s  10 s left"),
    (100, 100, 100, "████████████████████████ 100 %  100/100  10/s"),
    (0, 0, 0, "████████████████████████ 100 %  0/0"),
    (120, 100, 120, "████████████████████████ 100 %  120/100  12/s"),
  ])
  func `a line says how far a run is, how fast it goes and how long it takes`(
    done: Int, total: Int?, recently: Int, text: String?
  ) {
    let line = ProgressLine(done: done, total: total, recently: recently, elapsed: .seconds(10))

    #expect(line.text == text)
  }
}
