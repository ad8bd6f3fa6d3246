internal import JobKit
internal import Postgres
internal import Settings

/// Whether the settings can be read, and what is odd about them.
struct ConfigurationCheck: Check {
  let name = "configuration"

  /// The installation that the settings tell of, when they can be read.
  func check(at file: SettingsFile) -> (patient: Patient?, seen: [Observation]) {
    do {
      let loaded = try file.load()
      let server = try loaded.settings.database.server(
        credentials: Environment["CREDENTIALS_DIRECTORY"])
      let patient = Patient(loaded: loaded, server: server, now: SystemClock.now())
      let odd = loaded.warnings.map {
        Observation.note("\($0)", why: "it may not be what was meant", do: "write what was meant")
      }
      return (
        patient,
        odd.orWell("\(file.path): \(patient.settings.jobs.count.counted("job")), no problem")
      )
    } catch let refused as SettingsFile.Refused {
      let seen = refused.facts.map {
        Observation.problem(
          $0, why: Self.refusal, do: "correct it; 'worker check' tells when it is right")
      }
      return (nil, seen)
    } catch {
      return (nil, [.problem("\(error)", why: Self.refusal, do: "correct 'database.url'")])
    }
  }

  private static let refusal = "a daemon with settings that are wrong does not start"
}
