import Pictures

extension Canvas {
    /// Paints a cat from the front: pointed ears, slit pupils, whiskers, a collar with a bell.
    mutating func paintCat(_ coat: Coat) {
        paintCatBody(coat)
        paintCatEars(coat)
        paintCatHead(coat)
        for side: Float in [-1, 1] { paintCatEye(coat, side: side) }
        paintCatMuzzle(coat)
    }

    private mutating func paintCatBody(_ coat: Coat) {
        let shade = coat.fur.mixed(with: .black, 0.25)
        let tail = [Point(22, 66), Point(37, 56), Point(43, 42), Point(38, 30), Point(43, 22)]
        fill(.curve(tail, width: 8), Paint(coat.marking, shade))
        fill(.ellipse(Point(0, 67), across: 29, down: 36), Paint(coat.fur, shade))
        fill(.ellipse(Point(0, 34), across: 16, down: 20), Paint(coat.fur, shade: 0.1))
        fill(.ellipse(Point(0, 58), across: 12, down: 24), Paint(coat.pale, shade: 0.12, softness: 3))
        fill(.ellipse(Point(0, 31), across: 12, down: 6), Paint(.black, opacity: 0.22, softness: 5))
        fill(
            .curve([Point(-15, 31), Point(-8, 34.5), Point(0, 36), Point(8, 34.5), Point(15, 31)], width: 4.5),
            Paint(coat.collar, shade: 0.25)
        )
        fill(.ellipse(Point(0, 41), across: 4, down: 4), Paint(hex: 0xFFE79A, 0xD79B22))
        fill(.stroke([Point(0, 41.5), Point(0, 44)], width: 1), Paint(hex: 0x6B4A10))
    }

    private mutating func paintCatEars(_ coat: Coat) {
        let light = coat.fur.mixed(with: .white, 0.1)
        fillBoth(
            .polygon([Point(-27, -4), Point(-26.5, -37), Point(-5, -19)], rounding: 3.5),
            Paint(coat.marking, light)
        )
        fillBoth(
            .polygon([Point(-24, -12), Point(-24.5, -31), Point(-11, -19)], rounding: 1.5),
            Paint(hex: 0xF3A6A6, 0xE58A8F)
        )
    }

    private mutating func paintCatHead(_ coat: Coat) {
        let light = coat.fur.mixed(with: .white, 0.16)
        let shade = coat.fur.mixed(with: .black, 0.1)
        fillBoth(.polygon([Point(-20, 4), Point(-34, 13), Point(-20, 24)], rounding: 3), Paint(coat.fur, shade))
        fill(.ellipse(Point(0, 3), across: 31, down: 27), Paint(light, shade))
        if coat.isMarked {
            let stripe = Paint(coat.marking, coat.marking, opacity: 0.9)
            fill(.polygon([Point(-1.2, -22.5), Point(1.2, -22.5), Point(0, -10)], rounding: 1), stripe)
            fillBoth(.polygon([Point(-8.5, -21), Point(-6, -22), Point(-5, -12)], rounding: 0.9), stripe)
            fillBoth(.polygon([Point(-29.5, 3), Point(-29.8, 6), Point(-22, 6)], rounding: 0.8), stripe)
            fillBoth(.polygon([Point(-29, 10), Point(-28, 13), Point(-21.5, 11)], rounding: 0.8), stripe)
        }
        fill(.ellipse(Point(0, 20), across: 15, down: 9), Paint(coat.pale, shade: 0.06, softness: 2))
    }

    private mutating func paintCatEye(_ coat: Coat, side: Float) {
        let center = Point(side * 12.5, 0)
        let slant = side * 10
        fill(.ellipse(center, across: 7.6, down: 7.4, degrees: slant), Paint(hex: 0x1C1613))
        fill(
            .ellipse(center + Point(0, 0.3), across: 6.6, down: 6.4, degrees: slant),
            Paint(coat.eye.mixed(with: .black, 0.15), coat.eye.mixed(with: .white, 0.35))
        )
        fill(.ellipse(center + Point(0, 0.2), across: coat.isHappy ? 3.7 : 2.2, down: 5.9), Paint(.black))
        fill(.ellipse(center + Point(-2, -2.4), across: 1.9, down: 2), Paint(.white))
        fill(.ellipse(center + Point(2, 2.6), across: 0.9, down: 0.9), Paint(.white, opacity: 0.75))
    }

    private mutating func paintCatMuzzle(_ coat: Coat) {
        let dark = PictureColor(hex: 0x33231F)
        let pale = Paint(coat.pale, shade: 0.08)
        fill(.ellipse(Point(0, 22), across: 5, down: 4.5), pale)
        fillBoth(.ellipse(Point(-6, 17), across: 8, down: 6.4), pale)
        fill(.polygon([Point(-3, 10.6), Point(3, 10.6), Point(0, 14)], rounding: 1.4), Paint(hex: 0xF28B94, 0xD9626F))
        fill(.stroke([Point(0, 14), Point(0, 17.5)], width: 1.2), Paint(dark))
        fillBoth(
            .curve([Point(0, 17.5), Point(-2.6, 20.4), Point(-6.2, 20.6), Point(-9, 18.6)], width: 1.3),
            Paint(dark)
        )
        for (end, y) in [(Point(-38, 10), Float(15)), (Point(-40, 17.5), 17), (Point(-37, 25), 19)] {
            fillBoth(
                .curve([Point(-11, y), (Point(-11, y) + end) * 0.5 + Point(0, -1.2), end], width: 0.9),
                Paint(.white, opacity: 0.95)
            )
            fillBoth(.ellipse(Point(-9, y), across: 0.6, down: 0.6), Paint(dark, opacity: 0.5))
        }
        fillBoth(.ellipse(Point(-21, 13), across: 5, down: 3.4), Paint(hex: 0xF48A8A, opacity: 0.3, softness: 4))
    }
}
