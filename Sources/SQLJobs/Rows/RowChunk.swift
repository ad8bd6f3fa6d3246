internal import JobKit
internal import Postgres

/// What a chunk of a job that deletes or changes rows has done.
struct RowChunk {
  /// How many rows matched, and the last of their keys.
  let picked: Int
  let last: String?

  /// How many rows have been changed, by their kinds.
  let changed: [(kind: String?, rows: Int)]

  /// Changes the next rows behind a key, in the transaction of the chunk.
  ///
  /// A row that comes between the first key and the last after they were found belongs to the chunk as well.
  init(
    of walk: RowWalk, after cursor: String?, in share: Statement, upTo most: Int,
    on connection: borrowing Connection
  ) throws {
    let role = walk.job.role
    if case .statement(let text) = walk.job.change {
      let rows = try connection.run(
        walk.chunk(by: text, after: cursor, in: share, upTo: most), asIfBy: role)
      (picked, last) = (try rows[0]["picked"], try rows[0]["last"])
      changed = try rows.map { (try $0["kind"], try $0["changed"]) }
      return
    }
    let reach = try connection.run(
      walk.reach(after: cursor, in: share, upTo: most), asIfBy: role
    ).only
    (picked, last) = (try reach["picked"], try reach["last"])
    let alike: Int = try reach["alike"]
    guard let last,
      let change = walk.change(after: cursor, through: last, alike: alike, in: share)
    else {
      changed = []
      return
    }
    let rows = try connection.run(change, asIfBy: role)
    changed =
      walk.job.count == nil
      ? [(nil, rows.affected)] : try rows.map { (try $0["kind"], try $0["changed"]) }
  }
}
