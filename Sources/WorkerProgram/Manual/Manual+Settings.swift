internal import Config
internal import JobKit
internal import Settings

extension Manual {
  /// worker.toml(5), from the comments of `config/worker.toml` and the limits that the code keeps.
  static var settings: Manual {
    let known = Settings.known(to: ProgramJobs.catalogue).map { ($0.name, $0.wanted) }
    let wanted = Dictionary(known) { first, _ in first }
    return Manual(
      name: "worker.toml", section: 5, summary: "the settings of worker(1)",
      blocks: [.heading("Description")]
        + SettingsReference.builtIn.tables.flatMap { blocks(of: $0, wanted) } + [
          .heading("Files"),
          .term([Option.settingsPath], "the settings, unless the call names another file"),
          .heading("See also"), .paragraph("worker(1)"),
        ])
  }

  private static func blocks(
    of table: SettingsReference.Table, _ wanted: [String: String]
  ) -> [Block] {
    let head: [Block] = table.name.isEmpty ? [] : [.heading("[\(table.name)]")]
    return head + prose(table.remarks)
      + table.parts.flatMap { part -> [Block] in
        switch part {
        case .remarks(let lines): prose(lines)
        case .settings(let settings, []): [.lines(settings.map(\.line))]
        case .settings(let settings, let lines):
          term(settings, lines, below: table.name, wanted)
        }
      }
  }

  /// The settings as the file has them, what they mean, and what else may be written.
  private static func term(
    _ settings: [SettingsReference.Setting], _ lines: [String], below table: String,
    _ wanted: [String: String]
  ) -> [Block] {
    let kinds = settings.map { setting in
      (wanted[table.isEmpty ? setting.key : "\(table).\(setting.key)"] ?? "").writtenOut
    }
    let limits =
      Set(kinds).count == 1
      ? kinds.prefix(1).map { "Write \($0)." }
      : zip(settings, kinds).map { "`\($0.key)`: write \($1)." }
    return [.term(settings.map(\.line), (lines + limits).joined(separator: " "))]
  }

  /// A comment: lines further in stand as they are, an empty one ends a paragraph.
  private static func prose(_ lines: [String]) -> [Block] {
    lines.split(separator: "").flatMap { lines -> [Block] in
      guard lines.contains(where: { !$0.hasPrefix("  ") }) else {
        return [.lines(lines.map { String($0.drop { $0 == " " }) })]
      }
      return [.paragraph(lines.joined(separator: " "))]
    }
  }
}

extension String {
  /// The values in double quotes as things to write.
  fileprivate var writtenOut: String {
    let parts = split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count % 2 == 1 else { return self }
    return parts.enumerated().map { $0 % 2 == 1 ? "`\"\($1)\"`" : String($1) }.joined()
  }
}
