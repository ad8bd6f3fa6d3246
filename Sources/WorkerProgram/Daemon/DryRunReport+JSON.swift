internal import Config
internal import JobKit
internal import Runner

extension DryRun.Report {
  var json: JSON {
    let end: [JSON.Member] =
      switch self.end {
      case .succeeded(let outcome):
        [.init("would", "succeed"), .init("summary", .string(outcome.summary))]
      case .failed(let error): [.init("would", "fail"), .init("error", .string(error))]
      }
    return .object(
      end + [
        .init("planned", planned.map(JSON.integer) ?? .null),
        .init("held_because", JSON(objection)),
        .init("counters", progress.counters.json),
        .init("changes", .array(changes.map(\.json))),
        .init("examples", .array(progress.examples.map(JSON.string))),
      ])
  }
}

extension TableChange {
  fileprivate var json: JSON {
    [
      "table": .string(table), "inserted": .integer(inserted), "updated": .integer(updated),
      "deleted": .integer(deleted),
    ]
  }
}
