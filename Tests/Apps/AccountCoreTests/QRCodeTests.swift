import AccountCore
import Foundation
import TestSupport
import Testing

@Suite("QR codes")
struct QRCodeTests {
    static let isInstalled = QRCode("x") != nil

    @Test("Without libqrencode there is no QR code, and no crash")
    func missing() {
        #expect(QRCode("https://example.com/device", libraries: ["libqrencode-that-is-missing.so"]) == nil)
        #expect(QRCode("", libraries: QRCode.libraries) == nil)
        // A library without the functions.
        #expect(QRCode("x", libraries: ["libc.so.6"]) == nil)
    }

    @Test(
        "The code has finder patterns at three corners and a quiet zone",
        .enabled(if: isInstalled, "needs libqrencode4")
    )
    func patterns() throws {
        let code = try #require(QRCode("https://example.com/device?code=WDJB-MJHT"))
        #expect((code.size - 17).isMultiple(of: 4))
        for (x, y) in [(0, 0), (code.size - 7, 0), (0, code.size - 7)] {
            let finder = (0..<7).map { row in (0..<7).map { code.isDark(x + $0, y + row) ? "#" : "." }.joined() }
            #expect(finder == ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"])
        }
        #expect(!code.isDark(-1, 0) && !code.isDark(0, code.size))
        let lines = code.lines()
        #expect(lines.count == (code.size + 8 + 1) / 2)
        #expect(lines.allSatisfy { $0.count == code.size + 8 })
        #expect(QRCode(String(repeating: "x", count: 3_000)) == nil)
    }

    @Test(
        "A program that reads QR codes reads the drawn lines, on a dark and on a light terminal",
        .enabled(if: isInstalled && Programs.find("zbarimg") != nil, "needs libqrencode4 and zbar-tools"),
        arguments: [true, false]
    )
    func readable(onDark: Bool) throws {
        let text = "https://example.com/device?user_code=WDJB-MJHT"
        let lines = try #require(QRCode(text)).lines(onDark: onDark)
        // Each half of a cell becomes 4 by 4 pixels: drawn ones have the foreground's colour.
        let scale = 4
        let width = (lines.first?.count ?? 0) * scale
        var pixels: [UInt8] = []
        for line in lines {
            for half in 0..<2 {
                var row: [UInt8] = []
                for cell in line {
                    let isDrawn = cell == "█" || cell == (half == 0 ? "▀" : "▄")
                    row += [UInt8](repeating: isDrawn == onDark ? 255 : 0, count: scale)
                }
                for _ in 0..<scale { pixels += row }
            }
        }
        let folder = try TemporaryDirectory("qr")
        let file = folder.file("code.pgm")
        try (Data("P5 \(width) \(pixels.count / width) 255\n".utf8) + Data(pixels)).write(to: file)
        let zbarimg = try #require(Programs.find("zbarimg"))
        let output = try Programs.run(zbarimg, ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file.path])
        #expect(String(decoding: output, as: UTF8.self) == text + "\n")
    }
}
