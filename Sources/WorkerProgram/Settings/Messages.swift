internal import Config
internal import JobKit
internal import Jobs
internal import Settings

/// The texts of pushes, from the folder that the settings name, or as they are built in.
enum Messages {
  static func read(_ settings: Settings) throws(SettingsError) -> MessageCatalogue {
    guard let folder = PushPlaces(settings.rules).messages else { return .builtIn }
    return try MessageCatalogue(reading: files(in: folder))
  }

  /// What keeps the texts from being used.
  static func problems(_ settings: Settings) -> [Problem] {
    do throws(SettingsError) {
      _ = try read(settings)
      return []
    } catch {
      return error.problems
    }
  }

  private static func files(in folder: String) throws(SettingsError) -> [MessageFile] {
    var path = folder
    do throws(FileText.Unreadable) {
      var files: [MessageFile] = []
      for name in try FolderNames.list(folder) where name.hasSuffix(".toml") {
        path = "\(folder)/\(name)"
        let text = try FileText.read(path, atMost: mostBytes + 1)
        guard text.utf8.count <= mostBytes else {
          throw FileText.Unreadable(description: "it is longer than 1 MiB: is this the right file?")
        }
        files.append(MessageFile(path: path, text: text))
      }
      return files
    } catch {
      throw SettingsError(problems: [
        Problem(file: path, what: .badMessage("cannot be read: \(error)"))
      ])
    }
  }

  private static let mostBytes = 1 << 20
}
