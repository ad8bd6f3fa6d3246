internal import Config
internal import JobKit
internal import LocalTime
internal import Settings

/// The file of settings that this call of the program works with.
struct SettingsFile {
  let path: String

  init(_ arguments: Arguments) {
    self.init(named: arguments[.config])
  }

  /// The file that these words name, whatever command they are of.
  init(words: [String]) {
    let mark = "--\(Option.config.name)"
    let apart = words.lastIndex(of: mark).map { words.dropFirst($0 + 1).first }
    let joined = words.last { $0.hasPrefix("\(mark)=") }.map {
      String($0.dropFirst(mark.count + 1))
    }
    self.init(named: apart ?? joined)
  }

  private init(named name: String?) {
    let variable = Environment["WORKER_CONFIG"] ?? ""
    path = name ?? (variable.isEmpty ? Option.settingsPath : variable)
  }

  /// Reads and checks the settings, or says all that is wrong with them.
  func load() throws(Refused) -> LoadedSettings {
    let text = try read()
    do throws(SettingsError) {
      // The texts are read so that a start, a check and a reload refuse those that cannot be used.
      return try Settings.load(
        text, file: path, catalogue: ProgramJobs.catalogue, environment: Environment.ofSettings,
        zones: { folder throws(ZoneError) in
          try ZoneDatabase(
            root: ZoneDatabase.root(configured: folder, environment: Environment.ofZones))
        }, checking: Messages.problems)
    } catch {
      throw Refused(file: path, reason: .wrong(error.problems))
    }
  }

  private func read() throws(Refused) -> String {
    if let text = SettingsPeek.take(path) { return text }
    do throws(FileText.Unreadable) {
      return try FileText.read(path, atMost: Self.mostBytes)
    } catch {
      throw Refused(file: path, reason: .unreadable(error))
    }
  }

  /// One byte more than the settings' own reader accepts, so that its refusal is the one that is seen.
  static let mostBytes = 1 << 20 + 1
}

extension SettingsFile {
  /// Settings that cannot be used.
  struct Refused: EndingError {
    let file: String
    let reason: Reason

    enum Reason {
      case unreadable(FileText.Unreadable)
      case wrong([Problem])
    }

    /// Each problem on a line of its own, and last what comes of them.
    var lines: [String] {
      switch reason {
      case .unreadable: facts
      case .wrong(let problems): facts + [Self.count(of: problems)]
      }
    }

    /// Each problem on a line of its own.
    var facts: [String] {
      switch reason {
      case .unreadable(let why):
        [
          "cannot read the settings '\(file)': \(why); name the file with --config or $WORKER_CONFIG"
        ]
      case .wrong(let problems): problems.map(\.description)
      }
    }

    var description: String { lines.joined(separator: "\n") }
    var exitCode: ExitCode { .configuration }

    private static func count(of problems: [Problem]) -> String {
      "\(problems.count) \(problems.count == 1 ? "problem" : "problems"): these settings are not used"
    }
  }
}

extension Environment {
  /// What overrides settings.
  fileprivate static var ofSettings: [String: String] {
    values(of: ["WORKER_DATABASE_URL", "WORKER_LOG_FORMAT"])
  }
}
