import Glibc
import Testing

@testable import LocalTime

/// Runs `body` with a folder of zone files of its own, and removes the folder.
///
/// A file is given by its text or, when that is the name of a zone, as the file of that zone.
func withScratchZones(_ files: [String: String], _ body: (String) throws -> Void) throws {
  let scratch = try Given.variable("WORKER_TEST_SCRATCH")
  let folder = "\(scratch)/zones-\(UInt64.random(in: 0...UInt64.max))"
  guard unsafe mkdir(folder, 0o755) == 0 else { throw Folder.Failure.latest }
  defer { removeFolder(folder) }
  for (name, text) in files { try writeZone(text, name, folder) }
  try body(folder)
}

/// Writes one file of a scratch folder.
func writeZone(_ text: String, _ name: String, _ folder: String) throws {
  let zoneinfo = Folder(path: try Given.variable("WORKER_TEST_ZONEINFO"))
  let isZone = try Given.zones.get().names.contains(text)
  let bytes = isZone ? try zoneinfo.bytes(of: text) : Array(text.utf8)
  var parent = folder
  for part in name.split(separator: "/").dropLast() {
    parent += "/\(part)"
    _ = unsafe mkdir(parent, 0o755)
  }
  guard let file = unsafe fopen("\(folder)/\(name)", "w") else { throw Folder.Failure.latest }
  defer { unsafe fclose(file) }
  guard unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count else {
    throw Folder.Failure.latest
  }
}

private func removeFolder(_ path: String) {
  for entry in Folder(path: path).entries(of: ".") {
    let child = "\(path)/\(entry)"
    if Folder(path: child).exists { removeFolder(child) } else { _ = unsafe unlink(child) }
  }
  _ = unsafe rmdir(path)
}
