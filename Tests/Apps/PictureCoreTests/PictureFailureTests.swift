import NetworkProvider
import Pictures
import Testing

@testable import PictureCore

@Suite("Picture failures")
struct PictureFailureTests {
    @Test("Messages escape control characters of names and addresses that come from outside")
    func escaped() {
        let failures: [PictureFailure] = [
            .noSuchBreed("\u{1B}[31mx"), .noPicture("\u{9B}2J"),
            .picture(.empty, url: "http://h/\u{202E}"),
        ]
        for failure in failures {
            for text in [failure.description, failure.summary] {
                #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{202E}"].contains($0) }, "\(text)")
            }
        }
    }
}
