internal import Glibc

/// The names of what is in a folder.
enum FolderNames {
  /// The names in order, hidden ones left out.
  static func list(_ path: String) throws(FileText.Unreadable) -> [String] {
    guard let folder = unsafe opendir(path) else {
      throw FileText.Unreadable(description: unsafe String(cString: strerror(errno)).lowercased())
    }
    defer { unsafe closedir(folder) }
    var names: [String] = []
    while let entry = unsafe readdir(folder) {
      let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// How many there are; 0 when nobody may look.
  static func count(in path: String) -> Int {
    (try? list(path))?.count ?? 0
  }
}
