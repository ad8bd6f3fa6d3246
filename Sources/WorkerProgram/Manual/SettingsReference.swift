/// What `config/worker.toml` says of each setting, table by table.
///
/// That file is where settings are explained, and nowhere else.
struct SettingsReference {
  private(set) var tables: [Table] = [Table(name: "", remarks: [])]

  struct Table {
    /// Such as "jobs.deliver_pushes"; empty for what stands before the first table.
    let name: String

    /// What stands above its head.
    let remarks: [String]

    var parts: [Part] = []
  }

  enum Part {
    /// A comment about nothing in particular, line by line.
    case remarks([String])

    /// Settings that one comment explains; it has no lines where an earlier table has explained them.
    case settings([Setting], explained: [String])
  }

  struct Setting {
    let key: String

    /// The line that sets it: the default.
    let line: String
  }
}

extension SettingsReference {
  /// The file that this program was built with.
  static let builtIn = SettingsReference(
    reading: String(decoding: PackageResources.worker_toml, as: UTF8.self))

  init(reading text: String) {
    var comment: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("#") {
        comment.append(String(line.dropFirst(line.hasPrefix("# ") ? 2 : 1)))
      } else if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
        tables.append(Table(name: String(line[..<end].dropFirst()), remarks: take(&comment)))
      } else if let equals = line.firstRange(of: " = ") {
        let setting = Setting(key: String(line[..<equals.lowerBound]), line: line)
        add(setting, explained: take(&comment))
      } else if !comment.isEmpty {
        add(.remarks(take(&comment)))
      }
    }
  }

  private func take(_ comment: inout [String]) -> [String] {
    defer { comment = [] }
    return comment
  }

  /// A setting without a comment of its own shares that of the one above it.
  private mutating func add(_ setting: Setting, explained: [String]) {
    let last = tables[tables.count - 1].parts.last
    if explained.isEmpty, case .settings(let settings, let before) = last {
      tables[tables.count - 1].parts.removeLast()
      add(.settings(settings + [setting], explained: before))
    } else {
      add(.settings([setting], explained: explained))
    }
  }

  private mutating func add(_ part: Part) {
    tables[tables.count - 1].parts.append(part)
  }
}
