import Foundation
import Pictures
import TestSupport

/// Measures decoding a photo and drawing it for a terminal.
struct PicturesBenchmark: Benchmark {
    let area = "pictures"
    let summary = "a 1200 x 900 JPEG and PNG: decoded at the size they are shown, drawn, written as ANSI text"
    let peers = [Peer.pictureLibraries]

    private static let columns = 80
    private static let rows = 24
    private static let repetitions = 20

    func run() async throws -> [BenchmarkRow] {
        let photo = Self.photo(PixelSize(width: 1200, height: 900))
        let jpeg = try PictureEncoder().jpeg(photo, quality: 88)
        let png = try PictureEncoder().png(photo)
        let renderer = PictureRenderer()
        let box = renderer.pixelSize(columns: Self.columns, rows: Self.rows)
        let decoder = PictureDecoder()
        let decoded = try decoder.decode(jpeg, fitting: box).picture
        let times = try interleaved([
            { try Self.repeated { blackHole(try decoder.decode(jpeg, fitting: box)) } },
            { try Self.repeated { blackHole(try decoder.decode(jpeg)) } },
            { try Self.repeated { blackHole(renderer.render(decoded, columns: Self.columns, rows: Self.rows)) } },
            { try Self.repeated { blackHole(renderer.text(decoded, columns: Self.columns, rows: Self.rows)) } },
            {
                let eight = PictureRenderer(depth: .palette256)
                try Self.repeated { blackHole(eight.text(decoded, columns: Self.columns, rows: Self.rows)) }
            },
            { blackHole(try decoder.decode(png, fitting: box)) },
        ])
        let milliseconds = times.map { $0.cpu * 1000 / Double(Self.repetitions) }
        let against = "a 1200 x 900 JPEG of \(jpeg.count / 1024) KiB into \(Self.columns) x \(Self.rows) cells"
        let scale = milliseconds[1] / milliseconds[0]
        let full = "the same bytes decoded at full size: \(milliseconds[1].brief) ms of CPU"
        let own = [
            row("decode at 1/8 scale", milliseconds[0], atMost: 4, against),
            row("decode at full size against 1/8 scale", scale, "x", atLeast: 2, against: full),
            row("draw as half-blocks", milliseconds[2], atMost: 1, against),
            row("draw and write, true colour", milliseconds[3], atMost: 2, against),
            row("draw and write, 256 colours", milliseconds[4], atMost: 8, against),
            row("decode a PNG, reduced row by row", times[5].cpu * 1000, atMost: 60, "the same picture as PNG"),
        ]
        let draws = milliseconds[0] + milliseconds[2]
        return own + [
            peer("decode a JPEG against libjpeg alone", milliseconds[0], jpeg, atMost: 1.25),
            peer("decode a JPEG and draw it against libjpeg's decoding alone", draws, jpeg, atMost: 2),
            peer("decode a PNG against libpng alone", times[5].cpu * 1000, png, atMost: 1.25),
        ]
    }

    /// Compares a time with that of the C library, measured by a program over it in several runs.
    private func peer(_ name: String, _ value: Double, _ file: [UInt8], atMost bound: Double) -> BenchmarkRow {
        do {
            let program = try Peer.pictureLibraries.build().get()
            let input = FileManager.default.temporaryDirectory.appendingPathComponent("picture-\(UUID().uuidString)")
            try Data(file).write(to: input)
            defer { try? FileManager.default.removeItem(at: input) }
            let times = try (0..<5).map { _ in
                let text = try Programs.run(program, [input.path, "8", "20"])
                return Double(String(decoding: text, as: UTF8.self).split(separator: " ").first ?? "") ?? .nan
            }
            let other = median(times)
            let against = "the C library \(other.brief) ms of CPU, here \(value.brief)"
            return row(name, value / other, "x", atMost: bound, against: against)
        } catch {
            return row(name, nil, "x", against: "\(error)")
        }
    }

    private func row(_ name: String, _ value: Double, atMost bound: Double, _ against: String) -> BenchmarkRow {
        row(name, value, "ms of CPU", atMost: bound, against: against)
    }

    private static func repeated(_ body: () throws -> Void) throws {
        for _ in 0..<repetitions { try body() }
    }

    /// A synthetic photo: gradients with sensor noise.
    private static func photo(_ size: PixelSize) -> Picture {
        var picture = Picture(width: size.width, height: size.height, filledWith: .black)
        var state: UInt64 = 42
        for y in 0..<size.height {
            for x in 0..<size.width {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let noise = Int(state >> 61) - 4
                func channel(_ value: Int) -> UInt8 { UInt8(min(max(value + noise, 0), 255)) }
                picture[x, y] = PictureColor(
                    channel(x * 255 / size.width),
                    channel(y * 255 / size.height),
                    channel((x / 7 + y / 5) % 256)
                )
            }
        }
        return picture
    }
}
