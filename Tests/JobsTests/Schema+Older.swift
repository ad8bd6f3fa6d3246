@testable import JobKit

import Jobs
import Migrations

extension Schema {
  /// The schema of the learning app as it was after so many steps.
  static func learning(upTo version: Int) -> Schema {
    Schema(Array(learning.migrations.prefix(version)), named: "learning", rights: learning.rights)
  }
}
