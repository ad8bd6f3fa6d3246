internal import Glibc
internal import Postgres

/// The names of what is in a folder.
enum FolderNames {
  /// The names in order, hidden ones left out; a folder on a disk that is gone is given up.
  static func list(_ path: String) throws(FileText.Unreadable) -> [String] {
    do throws(BoundedFile.Refused) {
      return try BoundedFile.bounded { _ throws(BoundedFile.Refused) in names(in: path) }.get()
    } catch {
      throw FileText.Unreadable(error)
    }
  }

  /// How many there are; 0 when nobody may look.
  static func count(in path: String) -> Int {
    (try? names(in: path).get().count) ?? 0
  }

  private static func names(in path: String) -> Result<[String], BoundedFile.Refused> {
    guard let folder = unsafe opendir(path) else {
      let reason =
        errno == ENOTDIR
        ? "it is no folder: write the folder that the files are in"
        : unsafe String(cString: strerror(errno))
      return .failure(BoundedFile.Refused(reason))
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return .success(names.sorted())
  }
}
