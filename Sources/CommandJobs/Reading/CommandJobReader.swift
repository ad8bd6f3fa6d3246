internal import Config
internal import JobKit

/// Reads a job that runs a program from its table of the settings.
struct CommandJobReader {
  let name: JobName
  var table: TableReader
  let position: SourcePosition

  init(name: JobName, table: TableReader, position: SourcePosition) {
    (self.name, self.table, self.position) = (name, table, position)
  }

  /// The job; nothing when something is wrong, which is noted.
  mutating func read() -> CommandJob? {
    let before = table.problems.count
    let purpose = table.take(
      "purpose", as: .text("what the job does, such as \"sends the day's report\""))
    let words = readWords()
    let variables = table.readVariables()
    let user = readUser()
    let folder = readFolder()
    let memory = table.read("memory", as: .size, else: nil)
    let files = table.read("files", as: .countOrNone(16...1_000_000, suchAs: 256), else: nil)
    let patience = table.read(
      "kill_after", as: .seconds(0...300, suchAs: "10s"), else: .seconds(10))
    let mayBackfill = table.read("backfill", as: .flag, else: false)
    requireSchedule()
    refuseBounds()
    guard table.problems.count == before, let words else { return nil }
    var policies = Policies()
    policies.mayBackfill = mayBackfill
    return CommandJob(
      // The file says when it runs; this stands for what it does not say.
      definition: JobDefinition(
        name: name, purpose: purpose?.value ?? "runs \(words.program)",
        schedule: .every(.seconds(86_400)), policies: policies),
      words: CommandWords(words: words.words), variables: variables, user: user, folder: folder,
      memory: memory, files: files, patience: patience, listing: listing, remarks: words.remarks)
  }

  /// What the file says of the job's work, for those who compare two files.
  private var listing: [(key: String, value: String)] {
    table.known.compactMap { key in
      table[key].map { (key, $0.listed.replacing("\n", with: " ")) }
    }
  }
}

extension CommandJobReader {
  private static let example = "[\"/usr/local/bin/report\", \"--day\", \":day\"]"

  /// A command, and what an operator may want to know of it.
  private struct Words {
    let program: String
    let words: [CommandWords.Word]
    let remarks: [Problem]
  }

  private mutating func readWords() -> Words? {
    let wanted = "a list of words that begins with the path of a program, such as \(Self.example)"
    guard let (values, place) = table.take("command", as: .list(wanted)) else {
      if table["command"] == nil { missing("command", wanted) }
      return nil
    }
    guard let first = values.first else {
      forbid("command", "is empty: write \(wanted)", at: place)
      return nil
    }
    let words = values.compactMap { word($0) }
    guard words.count == values.count, case .string(let program) = first.content else { return nil }
    guard program.hasPrefix("/") else {
      forbid(
        "command",
        "begins with \(program.inQuotes): write the absolute path of a program, as in"
          + " \(Self.example)", at: first.position)
      return nil
    }
    return Words(program: program, words: words, remarks: remarks(on: program, at: first))
  }

  private mutating func word(_ value: TomlValue) -> CommandWords.Word? {
    guard case .string(let text) = value.content else {
      table.refuse(value, of: "command", wanted: "words in quotes, as in \(Self.example)")
      return nil
    }
    guard !text.unicodeScalars.contains("\0") else {
      forbid("command", "has a NUL in a word, which no program can be given", at: value.position)
      return nil
    }
    do throws(CommandWords.Fault) {
      return try CommandWords.word(text)
    } catch {
      let known = CommandWords.Name.allCases.map { "':\($0.rawValue)'" }.listed(with: "or")
      forbid(
        "command",
        "has \(text.inQuotes), which stands for nothing: write \(known),"
          + " or ':\(text)' for the word itself", at: value.position)
      return nil
    }
  }

  /// The program may be installed after the settings, so this refuses nothing.
  private func remarks(on program: String, at word: TomlValue) -> [Problem] {
    let text = table.text(program, of: "command", at: word.position)
    let rootless =
      CommandUser.own == 0 && table["command_user"] == nil
      ? "has no 'command_user' beside it: a daemon that is root runs no program without one" : nil
    let fault = ProgramFile.fault(of: program).map {
      "names \(program.inQuotes), which \($0) on this host"
    }
    return [fault, rootless].compactMap(\.self).map(text.problem)
  }

  private mutating func readUser() -> String? {
    let wanted = "the name of a user of this host who is not root, such as \"report\""
    guard let (name, place) = table.take("command_user", as: .text(wanted)) else { return nil }
    guard let user = CommandUser(named: name) else {
      forbid(
        "command_user",
        "is \(name.inQuotes), whom this host does not know: write \(wanted)", at: place)
      return nil
    }
    if user.isRoot {
      forbid("command_user", "is \(name.inQuotes), who is root: write \(wanted)", at: place)
    }
    return name
  }

  /// Where it begins; nothing for the home of its user.
  private mutating func readFolder() -> String? {
    let wanted = "an absolute path, or \"~\" for the home of its user"
    guard let (folder, place) = table.take("folder", as: .text(wanted)) else { return "/" }
    guard folder != "~" else { return nil }
    if !folder.hasPrefix("/") {
      forbid("folder", "is \(folder.inQuotes): write \(wanted)", at: place)
    }
    return folder
  }

  /// What other jobs may leave out: no program of the settings is run without a time.
  private mutating func requireSchedule() {
    if table["schedule"] == nil, table["every"] == nil {
      missing("schedule", "when it runs, such as schedule = \"30 3 * * *\"")
    }
  }

  /// What counts items, which a program does not tell before it runs.
  private mutating func refuseBounds() {
    for key in ["percent", "fewest", "most", "times_usual"] where table[key] != nil {
      let name = table.name(of: key)
      table.note(
        .forbidden(
          name: name, reason: "bounds what a program does, which nobody knows: leave it out"),
        at: table.position(of: key) ?? position)
    }
  }

  private mutating func missing(_ key: String, _ wanted: String) {
    table.note(
      .forbidden(name: "jobs.\(name)", reason: "has no '\(key)': write \(wanted)"), at: position)
  }

  private mutating func forbid(_ key: String, _ reason: String, at place: SourcePosition) {
    table.note(.forbidden(name: table.name(of: key), reason: reason), at: place)
  }
}
