import LocalTime

/// Reads the tables below `[jobs]` and gives every job of the catalogue, set or not.
struct JobsReader {
  let catalogue: Catalogue
  let zones: ZoneDatabase?
  let file: String
  let defaultZone: ZoneText

  private(set) var problems: [Problem] = []
  private(set) var warnings: [Problem] = []
  private var read: [JobName: (settings: JobSettings, line: Int)] = [:]

  /// The name of a zone, and where it stands when it stands in the file.
  struct ZoneText {
    let name: String
    let position: SourcePosition?
  }

  init(catalogue: Catalogue, zones: ZoneDatabase?, file: String, defaultZone: ZoneText) {
    self.catalogue = catalogue
    self.zones = zones
    self.file = file
    self.defaultZone = defaultZone
  }

  mutating func read(from table: inout TableReader) -> [JobSettings] {
    let fallback = zone(defaultZone)
    let wanted = "a table: a line [jobs.…], and its settings below it"
    for (entry, section) in table.sections(wanted: wanted) {
      guard let job = job(named: entry) else { continue }
      var section = section
      let settings = settings(of: job, from: &section, in: fallback)
      table.adopt(section)
      if let settings { read[job.name] = (settings, entry.position.line) }
    }
    return catalogue.jobs.compactMap { job in
      if let found = read[job.name] { return found.settings }
      var empty = TableReader(TomlTable(entries: []), file: file)
      return settings(of: job, from: &empty, in: fallback)
    }
  }

  /// The job that a table is about, or a problem.
  private mutating func job(named entry: TomlTable.Entry) -> JobDefinition? {
    do throws(JobNameError) {
      let name = try JobName(entry.key)
      guard let job = catalogue[name] else {
        let known = catalogue.jobs.map(\.name.text)
        note(
          .unknownJob(name: entry.key, nearest: closest(to: name.text, in: known), known: known),
          at: entry.position)
        return nil
      }
      guard let first = read[name] else { return job }
      note(.jobTwice(written: entry.key, job: name, firstLine: first.line), at: entry.position)
    } catch {
      note(.badJobName(error), at: entry.position)
    }
    return nil
  }
