/// What the tests of somebody else's jobs need: a stage with a database of its own and a clock turned by hand.
@_exported public import TestKit
