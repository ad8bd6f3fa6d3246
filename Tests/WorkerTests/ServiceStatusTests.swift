import Ledger
internal import LocalTime
@testable import Runner
import Testing

@testable internal import JobKit
@testable import WorkerProgram

@Suite("The status of a service")
struct ServiceStatusTests {
  private let now = Instant(microseconds: 1_790_000_000_000_000)

  private func part(_ number: Int, of job: String) throws -> ClaimedPart {
    ClaimedPart(
      fence: Fence(run: 1, part: number, epoch: 1), daemon: "host:1:1", job: try JobName(job),
      scheduledFor: now, trigger: .schedule, parts: 2, arguments: [:], percent: 100, planned: nil,
      isApproved: false, failures: 0, workerLosses: 0, lossesWithoutProgress: 0, saved: Progress())
  }

  private func turn(_ part: ClaimedPart) -> Worker.PartExecution {
    Worker.PartExecution(part: part, end: .released, progress: Progress())
  }

  @Test func `it tells what runs, by job`() throws {
    var status = ServiceStatus()

    status.take(.passed(Scheduler.Pass(), at: now))
    status.take(.began(try part(0, of: "settle_rewards")))
    let one = status.text
    status.take(.began(try part(1, of: "settle_rewards")))
    status.take(.began(try part(2, of: "deliver_pushes")))
    let three = status.text
    for number in 0..<2 { status.take(.ended(turn(try part(number, of: "settle_rewards")))) }
    status.take(.ended(turn(try part(2, of: "deliver_pushes"))))

    #expect(one == "runs 1 part (settle_rewards); last pass 2026-09-21T14:13:20Z")
    #expect(
      three
        == "runs 3 parts (deliver_pushes, 2 × settle_rewards); last pass 2026-09-21T14:13:20Z")
    #expect(status.text == "runs nothing; last pass 2026-09-21T14:13:20Z")
  }

  @Test func `it tells of a database that is away, until it is back`() {
    var status = ServiceStatus()

    let before = status.text
    status.wait("no route")
    let waiting = status.text
    status.take(.lostConnection(loop: "maintenance"))
    let lost = status.text
    status.take(.maintained(at: now))

    #expect(before == "starts")
    #expect(waiting == "waits for the database: no route")
    #expect(
      lost == "waits for the database: no route; has lost the database and tries again")
    #expect(status.text == waiting)
  }

  @Test func `a pass that was under way when the drain began does not make it work again`() throws {
    var status = ServiceStatus()
    status.take(.began(try part(0, of: "settle_rewards")))

    status.take(.draining)
    status.take(.passed(Scheduler.Pass(), at: now))

    #expect(
      status.text == "ends after 1 part (settle_rewards); last pass 2026-09-21T14:13:20Z")
  }
}
