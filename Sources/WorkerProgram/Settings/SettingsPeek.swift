internal import Config
internal import Synchronization

/// The text of the settings that was read to see which apps they switch on.
///
/// The command gets the same text: a pipe cannot be read twice.
enum SettingsPeek {
  private static let kept = Mutex<(path: String, text: String)?>(nil)

  /// The text, for the first that asks for it: a daemon that reads its settings again reads the file.
  static func take(_ path: String) -> String? {
    kept.withLock { kept in
      guard let found = kept, found.path == path else { return nil }
      kept = nil
      return found.text
    }
  }

  /// Reads the text and keeps it; nothing where that cannot be done, which a command that needs it says.
  static func read(_ file: SettingsFile) -> String? {
    guard let text = try? FileText.read(file.path, atMost: SettingsFile.mostBytes) else {
      return nil
    }
    kept.withLock { $0 = (file.path, text) }
    return text
  }
}

extension LearningApp {
  /// Whether the settings switch the app off; what is wrong with them is for a command to say.
  static func state(of file: SettingsFile) -> State {
    guard let text = SettingsPeek.read(file),
      case .table(let apps) = TomlDocument(text).root["apps"]?.content,
      case .boolean(false) = apps[name]?.content
    else { return .on }
    return .off
  }
}
