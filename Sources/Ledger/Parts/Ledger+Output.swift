package import JobKit
public import Postgres

extension Ledger {
  /// Writes what the program of a part has printed, in the place of what an earlier try did.
  ///
  /// The transaction has to save the part's progress, too: that is what fences it.
  package static func keep(
    output: String, of fence: Fence, on connection: borrowing Connection
  ) throws(PostgresError) {
    try connection.run(
      """
      INSERT INTO jobkit.output (run, part, epoch, text)
      VALUES (\(fence.run), \(fence.part), \(fence.epoch), \(output))
      ON CONFLICT (run, part) DO UPDATE SET epoch = excluded.epoch, text = excluded.text
      """)
  }

  /// What the programs of a run have printed, in the order of its parts.
  public static func outputs(
    of run: Int, on connection: borrowing Connection
  ) throws(PostgresError) -> [PartOutput] {
    let rows = try connection.run(
      "SELECT part, epoch, text FROM jobkit.output WHERE run = \(run) ORDER BY part")
    var outputs: [PartOutput] = []
    for row in rows {
      outputs.append(
        PartOutput(part: try row["part"], epoch: try row["epoch"], text: try row["text"]))
    }
    return outputs
  }
}

/// The last that the program of a part has printed.
public struct PartOutput: Sendable, Equatable {
  public let part: Int

  /// The number of the claim whose program printed it.
  public let epoch: Int
  public let text: String
}
