// JobKit
