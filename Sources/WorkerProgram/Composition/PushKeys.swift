internal import Config
internal import Jobs
internal import Postgres
internal import Push

/// The keys of the providers that are enabled, read and found fit.
struct PushKeys {
  private(set) var apple: (key: Secret, team: AppleTeam)?
  private(set) var google: (key: Secret, account: ServiceAccount)?
  private(set) var webhook: (key: Secret, secrets: WebhookSecrets)?

  /// Reads them, or that of one provider whether pushes go to providers or not; throws what keeps one from being used.
  init(_ rules: ProviderRules, for one: PushProvider? = nil) throws(PushKeyFault) {
    guard rules.isUsed || one != nil else { return }
    if let apple = rules.apple, one ?? .apns == .apns { self.apple = try Self.apple(apple) }
    if let google = rules.google, one ?? .fcm == .fcm {
      let key = try Self.read(google.accountFile, or: "push_fcm_account", "push.fcm.account_file")
      do throws(ServiceAccountError) { self.google = (key, try ServiceAccount(key)) } catch {
        throw PushKeyFault("'push.fcm.account_file' cannot be used: \(error)")
      }
    }
    if let webhook = rules.webhook, one ?? .webhook == .webhook {
      let key = try Self.read(
        webhook.secretFile, or: "push_webhook_secret", "push.webhook.secret_file")
      do throws(WebhookSecretError) { self.webhook = (key, try WebhookSecrets(key)) } catch {
        throw PushKeyFault("'push.webhook.secret_file' cannot be used: \(error)")
      }
    }
  }

  private static func apple(
    _ rules: ProviderRules.Apple
  ) throws(PushKeyFault) -> (key: Secret, team: AppleTeam) {
    if let missing = rules.missing {
      throw PushKeyFault(
        "'\(missing)' is empty: [push.apns] is enabled, and Apple wants to know it")
    }
    let key = try read(rules.keyFile, or: "push_apns_key", "push.apns.key_file")
    let signing: SigningKey
    do throws(SigningKeyError) { signing = try SigningKey(pem: key, for: .es256) } catch {
      throw PushKeyFault("'push.apns.key_file' cannot be used: \(error)")
    }
    do throws(AppleTeamError) {
      return (key, try AppleTeam(id: rules.team, keyID: rules.keyID, key: signing))
    } catch {
      throw PushKeyFault("[push.apns] cannot be used: \(error)")
    }
  }

  private static func read(
    _ path: String?, or name: String, _ setting: String
  ) throws(PushKeyFault) -> Secret {
    let source: KeySource
    if let path {
      source = .file(path)
    } else if let directory = Environment["CREDENTIALS_DIRECTORY"], !directory.isEmpty {
      source = .credential(name, directory: directory)
    } else {
      throw PushKeyFault(
        "'\(setting)' is empty, and $CREDENTIALS_DIRECTORY is not set: name the file, or write"
          + " LoadCredential=push:/etc/worker/credentials/push into the unit")
    }
    do throws(BoundedFile.Refused) {
      return try BoundedFile.bounded { _ throws(BoundedFile.Refused) in
        do throws(KeyFileError) { return try source.read() } catch {
          throw BoundedFile.Refused(error.description)
        }
      }
    } catch {
      throw PushKeyFault("'\(setting)' cannot be used: \(error)")
    }
  }
}

/// Why pushes cannot be brought to a provider; shows nothing of its key.
struct PushKeyFault: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension PushKeyFault: EndingError {
  var exitCode: ExitCode { .configuration }
}
