internal import Glibc

/// What is left on the disk of a folder, for those who are not root.
struct DiskRoom {
  let freeMegabytes: Int
  let freeFiles: Int

  /// Whether less than a twentieth is left of either.
  let isScarce: Bool

  init(of folder: String) throws(FileText.Unreadable) {
    var status = statvfs()
    guard unsafe statvfs(folder, &status) == 0 else { throw FileText.Unreadable(errno: errno) }
    freeMegabytes = Int(status.f_bavail) * Int(status.f_frsize) >> 20
    // A file system that counts no files has room for any number.
    freeFiles = status.f_files == 0 ? .max : Int(status.f_favail)
    isScarce =
      status.f_bavail < status.f_blocks / 20
      || (status.f_files > 0 && status.f_favail < status.f_files / 20)
  }
}
