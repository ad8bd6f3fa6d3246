internal import Config
internal import JobKit
internal import Runner
internal import Settings
internal import Web

/// Tells a message by posting it to a URL, as JSON.
struct WebhookChannel: Channel {
  let receiver: Receiver
  let limit: Duration

  let name = "webhook"

  var label: String { receiver.place.description }

  func deliver(_ message: WrittenMessage) throws(DeliveryError) {
    try receiver.expectSuccess { url throws(WebFailure) in
      try WebRequest.post(message.json.compact, to: url, within: limit).send()
    }
  }
}
