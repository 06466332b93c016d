import PictureAPIs
import Pictures
import Testing

@Suite("Portraits")
struct PortraitTests {
    @Test("The same seed draws the same picture, another seed draws another one", arguments: Portrait.Animal.allCases)
    func seeded(animal: Portrait.Animal) {
        let size = PixelSize(width: 60, height: 45)
        let first = Portrait(animal, seed: "a").picture(size)
        #expect(Portrait(animal, seed: "a").picture(size) == first)
        #expect(["b", "c", "d"].contains { Portrait(animal, seed: $0).picture(size) != first })
    }

    @Test("The corners have the stated colours at every size and shape", arguments: Portrait.Animal.allCases)
    func corners(animal: Portrait.Animal) {
        for seed in 0..<6 {
            for (width, height) in [(80, 60), (60, 80), (50, 50), (200, 50)] {
                let portrait = Portrait(animal, seed: "\(seed)")
                let picture = portrait.picture(PixelSize(width: width, height: height))
                let shown = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)].map {
                    picture[$0.0, $0.1]
                }
                #expect(shown == portrait.corners)
            }
        }
    }

    @Test("The picture is more than its background", arguments: Portrait.Animal.allCases)
    func notOnlyBackground(animal: Portrait.Animal) {
        let portrait = Portrait(animal, seed: "x")
        let picture = portrait.picture(PixelSize(width: 40, height: 30))
        var strange = 0
        for y in 0..<30 {
            for x in 0..<40 where !portrait.corners.contains(picture[x, y]) { strange += 1 }
        }
        #expect(strange > 200)
    }

    @Test("The smallest size is drawn")
    func tiny() {
        for (width, height) in [(0, 0), (1, 1), (1, 9), (9, 1)] {
            let picture = Portrait(.dog, seed: "").picture(PixelSize(width: width, height: height))
            #expect(picture.size == PixelSize(width: max(1, width), height: max(1, height)))
        }
    }
}
