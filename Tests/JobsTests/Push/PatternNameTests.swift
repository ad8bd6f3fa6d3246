import JobKit
import Postgres
import Push
import Push
import TestKit
import Testing

@testable import Jobs

@Suite("What a push calls a pattern")
struct PatternNameTests {
  @Test(arguments: [
    ("ko", "-던"), ("ko-KR", "-던"), ("KO_kr", "-던"), ("en", "used to"), ("ja", "used to"),
    ("kok", "used to"), ("kok-IN", "used to"), ("ko_KR.UTF-8", "used to"),
  ])
  func `is its name in the language of the text, whatever the locale begins with`(
    locale: String, name: String
  ) throws {
    let (scene, postbox) = (try PushScene(), Postbox())
    try scene.run(
      """
      INSERT INTO learning.patterns (pattern_id, code, name_ko, name_en)
      VALUES (1, 'deon', '-던', 'used to')
      """)
    try scene.add(learner: 1, locale: locale)
    try scene.plan(1, template: "pattern")
    try scene.run("UPDATE learning.notifications SET pattern_code = 'deon'")

    _ = try scene.stage.run(DeliverPushes(through: postbox, saying: .builtIn))

    let message = try #require(postbox.messages.first)
    #expect("\(message.title) \(message.body)".contains(name))
  }
}
