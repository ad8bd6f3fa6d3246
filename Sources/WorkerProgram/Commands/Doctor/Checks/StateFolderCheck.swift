/// Whether there is room on the disk of the daemon's state.
struct StateFolderCheck: HostCheck {
  let name = "disk"

  /// The folders that systemd gives the service, with colons between, or the usual one.
  var folders = Environment["STATE_DIRECTORY"] ?? "/var/lib/worker"

  func check(at patient: Patient) -> [Observation] {
    folders.split(separator: ":").flatMap { check(at: String($0)) }
  }

  private static let loss =
    "a full disk loses log lines, pushes of the log transport and whatever systemd keeps there"

  private func check(at folder: String) -> [Observation] {
    do throws(FileText.Unreadable) {
      let room = try DiskRoom(of: folder)
      let text = "'\(folder)' has \(room.freeMegabytes) MB and \(room.freeFiles) files free"
      guard room.freeMegabytes >= 100, room.freeFiles >= 1000 else {
        return [.problem(text, why: Self.loss, do: "make room")]
      }
      return [
        room.isScarce
          ? .warning(
            text + ", of which less than a twentieth is left", why: Self.loss, do: "make room")
          : .ok(text)
      ]
    } catch {
      return [
        .note("there is no folder '\(folder)': the daemon keeps its state in the database alone")
      ]
    }
  }
}
