internal import Config
internal import JobKit
import LocalTime

/// Reads the tables below `[jobs]` and gives every job of the catalogue, set or not.
struct JobsReader {
  let catalogue: Catalogue
  let zones: ZoneDatabase?
  let file: String
  let defaultZone: ZoneText
  let calendars: [Calendar]
  let apps: [AppSettings]

  private(set) var problems: [Problem] = []
  private(set) var warnings: [Problem] = []
  /// The jobs that the file itself describes, in its order.
  private(set) var described: [any SettingsJob] = []
  /// Where each job that the file names is named first.
  private var lines: [JobName: Int] = [:]
  /// Which jobs come after which others, as the file and the jobs say.
  private var chains = Chains()
  private let kinds: JobTableKinds

  /// The name of a zone, and where it stands when it stands in the file.
  struct ZoneText {
    let name: String
    let position: SourcePosition?
  }

  init(
    catalogue: Catalogue, zones: ZoneDatabase?, file: String, defaultZone: ZoneText,
    calendars: [Calendar], apps: [AppSettings]
  ) {
    self.catalogue = catalogue
    self.zones = zones
    self.file = file
    self.defaultZone = defaultZone
    self.calendars = calendars
    self.apps = apps
    kinds = JobTableKinds(job: .jobKind(of: catalogue.kinds))
  }

  /// Every job of the catalogue, in its order, but for those at fault.
  mutating func read(from table: inout TableReader) -> [JobSettings] {
    let fallback = zone(defaultZone)
    let wanted = "a table: [jobs.deliver_pushes], say, on a line of its own, and its settings below"
    var read = [JobName: JobSettings]()
    for (entry, section) in table.sections(wanted: wanted) {
      var section = section
      guard let job = job(named: entry, in: &section) else { continue }
      read[job.name] = settings(of: job, from: &section, in: fallback)
      table.adopt(section)
    }
    described = described.map { job in
      read[job.definition.name].map { job.scheduled(in: $0.schedule.zone) } ?? job
    }
    let own = described.compactMap { job in
      read[job.definition.name].map { settings in job.adding(to: settings) }
    }
    let all =
      catalogue.jobs.compactMap { job in
        guard lines[job.name] == nil else { return read[job.name] }
        var absent = TableReader(TomlTable(entries: []), path: ["jobs", job.name.text], file: file)
        defer { table.adopt(absent) }
        return settings(of: job, from: &absent, in: fallback)
      } + own
    checkChains(among: all)
    return all
  }

  /// Notes what is wrong with the jobs that others come after.
  private mutating func checkChains(among jobs: [JobSettings]) {
    let known = Set(catalogue.jobs.map(\.name)).union(lines.keys)
    for link in chains.links where !known.contains(link.name) {
      note(unknown(link.name, written: link.written, among: known), at: link.position)
    }
    for (fault, position) in chains.faults(among: jobs) { note(fault, at: position) }
  }

  /// The job that a table is about, or a problem.
  private mutating func job(
    named entry: TomlTable.Entry, in section: inout TableReader
  ) -> JobDefinition? {
    do throws(JobNameError) {
      let name = try JobName(entry.key)
      guard let job = catalogue[name] ?? described(name, entry, in: &section) else {
        let known = Set(catalogue.jobs.map(\.name))
        note(unknown(name, written: entry.key, among: known), at: entry.position)
        return nil
      }
      guard let first = lines.updateValue(entry.position.line, forKey: name) else { return job }
      lines[name] = first
      note(.jobTwice(written: entry.key, job: name.text, firstLine: first), at: entry.position)
    } catch {
      note(.badJobName(error.description), at: entry.position)
    }
    return nil
  }

  /// What is wrong with the name of a job that there is not.
  private func unknown(
    _ name: JobName, written: String, among jobs: Set<JobName>
  ) -> SettingsFault {
    let reasons = catalogue.apps.filter { $0.jobs.contains(name) }.compactMap { $0.reason(apps) }
    if let reason = reasons.first { return .forbidden(name: "jobs.\(name)", reason: reason) }
    let own = catalogue.jobs.map(\.name).filter(jobs.contains)
    let known = (own + jobs.subtracting(own).sorted()).map(\.text)
    return .unknownJob(name: written, nearest: closest(to: name.text, in: known), known: known)
  }

  /// The job that a table with a `kind` describes; one at fault is read on by its name, so that all is said of it.
  private mutating func described(
    _ name: JobName, _ entry: TomlTable.Entry, in section: inout TableReader
  ) -> JobDefinition? {
    guard section["kind"] != nil, lines[name] == nil else {
      return described.first { $0.definition.name == name }?.definition
    }
    let kind = section.take("kind", as: kinds.job)?.value
    if kind == nil { section.passOverStrangers() }
    if let job = kind?.read(name, from: &section, at: entry.position) {
      described.append(job)
      warnings += job.remarks
      return job.definition
    }
    return JobDefinition(name: name, purpose: "", schedule: .every(.seconds(60)))
  }

  private mutating func settings(
    of job: JobDefinition, from table: inout TableReader, in fallback: Zone
  ) -> JobSettings? {
    var isEnabled = job.isEnabled
    kinds.enabled.read(&table, &isEnabled)
    let zone = zone(of: job, from: &table) ?? fallback
    let dst = table.take("dst", as: kinds.dst)
    let schedule = schedule(of: job, from: &table, in: zone, dst: dst?.value ?? job.dst)
    let exceptions = table.readExceptions(among: calendars)
    let links = table.readAfter(of: job)
    chains.add(links)
    // Any schedule in the place of one at fault, so that reading goes on.
    guard
      let standIn = schedule ?? Interval(.seconds(60)).map({ Schedule(every: $0, shownIn: zone) })
    else { return nil }
    var settings = JobSettings(
      name: job.name, isEnabled: isEnabled, schedule: standIn.except(on: exceptions),
      policies: job.policies, after: job.after, parts: job.parts)
    settings.after.jobs = links.map(\.name)
    settings.read(kinds.fields, from: &table)
    if case .every = schedule?.rhythm, let dst {
      let name = table.name(of: "dst")
      warn("'\(name)' changes nothing: 'every' follows no clock on a wall", at: dst.position)
    }
    return schedule == nil ? nil : settings
  }

  /// The job's own zone, when the file or its definition gives it one.
  private mutating func zone(of job: JobDefinition, from table: inout TableReader) -> Zone? {
    if let (name, position) = table.take("zone", as: .zone) {
      return zone(ZoneText(name: name, position: position))
    }
    guard let name = job.zone else { return nil }
    return zone(ZoneText(name: name, position: nil))
  }

  private mutating func schedule(
    of job: JobDefinition, from table: inout TableReader, in zone: Zone,
    dst: CronSchedule.ClockChanges
  ) -> Schedule? {
    let cron = table.take("schedule", as: .text("a cron expression, such as \"*/5 * * * *\""))
    let every = table.take("every", as: kinds.every)
    if cron != nil, let every {
      note(.twoSchedules(job: job.name.text), at: every.position)
      return nil
    }
    let name = table.name(of: "schedule")
    switch (cron?.value, every?.value, job.schedule) {
    case (let text?, _, _):
      return self.cron(text, of: name, at: cron?.position, in: zone, dst: dst)
    case (nil, let length?, _), (nil, nil, .every(let length)):
      return Interval(length).map { Schedule(every: $0, shownIn: zone) }
    case (nil, nil, .cron(let text)):
      return self.cron(text, of: name, at: nil, in: zone, dst: dst)
    }
  }

  private mutating func cron(
    _ text: String, of name: String, at position: SourcePosition?, in zone: Zone,
    dst: CronSchedule.ClockChanges
  ) -> Schedule? {
    do throws(CronError) {
      let cron = try Cron(text)
      // What a definition says is for its author to weigh; only what the file says is remarked on.
      for remark in position == nil ? [] : cron.remarks {
        warn("'\(cron.text)': \(remark)", at: position)
      }
      return Schedule(CronSchedule(cron, in: zone, dst: dst))
    } catch {
      note(.badSchedule(error.description), at: position)
      return nil
    }
  }

  /// The zone of that name; when there is none, a problem and any zone, so that reading goes on.
  private mutating func zone(_ text: ZoneText) -> Zone {
    guard let zones else { return .utc }
    do throws(ZoneError) {
      return try zones.zone(named: text.name)
    } catch {
      note(.badZone(error.description), at: text.position)
      return .utc
    }
  }

  private mutating func note(_ fault: SettingsFault, at position: SourcePosition?) {
    problems.append(Problem(file: file, position: position, what: fault))
  }

  private mutating func warn(_ remark: String, at position: SourcePosition?) {
    warnings.append(Problem(file: file, position: position, what: .remark(remark)))
  }
}

extension SettingsJob {
  /// The settings of the job with what they say of its work.
  fileprivate func adding(to settings: JobSettings) -> JobSettings {
    var settings = settings
    settings.described = listing.map { line in
      SettingLine(name: "jobs.\(settings.name).\(line.key)", value: line.value)
    }
    return settings
  }
}
