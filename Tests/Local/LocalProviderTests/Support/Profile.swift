import Foundation

/// A value with a bit of everything.
struct Profile: Codable, Sendable, Equatable {
    var name = "한글 \u{1F415}"
    var age = 7
    var score = 1.5
    var tags = ["a", "b"]
    var seen = Date(timeIntervalSince1970: 1_700_000_000)
    var icon = Data([0, 1, 2, 255])
    var nick: String?
}
