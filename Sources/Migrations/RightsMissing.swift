/// A role that may not do what a daemon does.
public struct RightsMissing: Error, Equatable {
  let role: String

  /// What it lacks, each as in `INSERT on jobkit.run`.
  public let rights: [String]

  /// Whether a table or a column is missing, which no right would bring.
  let isSchemaBehind: Bool

  /// A role that has these rights, most likely that of the daemons, and what lends them.
  let able: Able?

  struct Able: Sendable, Equatable {
    let role: String
    let grant: String
  }
}

extension RightsMissing: CustomStringConvertible {
  public var description: String {
    "the role '\(role)' cannot work at the ledger: it lacks \(few); \(remedy)"
  }

  /// What it lacks, and how many more where that are many.
  private var few: String {
    let rest = rights.count - Self.most
    guard rest > 0 else { return rights.joined(separator: ", ") }
    return rights.prefix(Self.most).joined(separator: ", ") + " and \(rest) more"
  }

  private static let most = 3

  private var remedy: String {
    if isSchemaBehind {
      return "'worker migrate up' as the owner of the ledger brings what is missing"
    }
    guard let able else {
      return
        "let the owner of the ledger name it as 'database.worker_role' and run 'worker migrate up'"
    }
    return
      "connect as '\(able.role)', or let its administrator '\(able.grant)', which lends what that one may"
  }

  /// A line for each right where the sentence does not name all of them, and then the sentence.
  public var lines: [String] {
    rights.count > Self.most ? rights.map { "lacks \($0)" } + [description] : [description]
  }
}
