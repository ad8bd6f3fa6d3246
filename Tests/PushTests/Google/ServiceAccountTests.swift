import Push
import Testing

@Suite("A service account of Google")
struct ServiceAccountTests {
  private func refusal(_ file: Secret) -> String? {
    do throws(ServiceAccountError) {
      _ = try ServiceAccount(file)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `Google's file is taken as it was downloaded`() throws {
    let account = try ServiceAccount(try TestKeys.account())

    #expect(account.project == "learning-app")
    #expect(account.tokenURL == "https://oauth2.example/token")
  }

  @Test func `another file is refused in a sentence that shows no secret`() throws {
    #expect(
      refusal(Secret(try TestKeys.google.get().key))
        == "it is no JSON document: give Google's file of a service account as it was downloaded")
    #expect(
      refusal(try TestKeys.account(changing: ["type": "authorized_user"]))
        == "it is no service account: make a key of one in the console, under Service accounts")
    for name in ["project_id", "client_email", "private_key_id", "private_key", "token_uri"] {
      #expect(
        refusal(try TestKeys.account(changing: [name: nil]))
          == "the service account lacks '\(name)': download its file again")
    }
    #expect(
      refusal(try TestKeys.account(changing: ["private_key": "secret"]))
        == "it holds no private key: give the file as the provider made it, in PEM")
    #expect(
      refusal(try TestKeys.account(changing: ["private_key": try TestKeys.apple.get().key]))
        == "its key is no RSA key: give Google's file of a service account")
    #expect(
      refusal(try TestKeys.account(changing: ["project_id": "a/../b"]))
        == "its project_id 'a/../b' is no name of a project")
  }

  @Test(arguments: ["http://oauth2.example/token", "http://127.0.0.1.example/", "ftp://x", "token"])
  func `a server of tokens that is not reached by https is refused`(url: String) throws {
    #expect(
      refusal(try TestKeys.account(changing: ["token_uri": url]))
        == "its token_uri '\(url)' is not reached by https, and its signature must not be seen")
  }

  @Test(arguments: ["http://127.0.0.1:8080/token", "http://[::1]/token", "https://x/token"])
  func `this host and https are taken`(url: String) throws {
    #expect(refusal(try TestKeys.account(changing: ["token_uri": url])) == nil)
  }
}
