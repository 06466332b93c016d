import Pictures

extension Canvas {
    /// Paints a dog from the front: hanging ears, a pale muzzle, a collar with a tag.
    mutating func paintDog(_ coat: Coat) {
        paintDogBody(coat)
        paintDogHead(coat)
        for side: Float in [-1, 1] { paintDogEye(coat, side: side) }
        paintDogMuzzle(coat)
    }

    private mutating func paintDogBody(_ coat: Coat) {
        let shade = coat.fur.mixed(with: .black, 0.25)
        fill(.ellipse(Point(0, 66), across: 33, down: 34), Paint(coat.fur, shade))
        fill(.ellipse(Point(0, 34), across: 18, down: 22), Paint(coat.fur, shade: 0.1))
        fill(.ellipse(Point(0, 60), across: 16, down: 28), Paint(coat.pale, shade: 0.12, softness: 3))
        fill(.ellipse(Point(0, 32), across: 13, down: 8), Paint(.black, opacity: 0.22, softness: 5))
        fill(
            .curve([Point(-17, 31.5), Point(-9, 35.5), Point(0, 37), Point(9, 35.5), Point(17, 31.5)], width: 5.5),
            Paint(coat.collar, shade: 0.25)
        )
        fill(.ellipse(Point(0, 43.5), across: 4.2, down: 4.4), Paint(hex: 0xFFE08A, 0xD79B22))
        fill(.ellipse(Point(-1, 42.4), across: 1.3, down: 1.2), Paint(.white, opacity: 0.8))
    }

    private mutating func paintDogHead(_ coat: Coat) {
        let light = coat.fur.mixed(with: .white, 0.16)
        let shade = coat.fur.mixed(with: .black, 0.12)
        let ear = Shape.ellipse(Point(-31, -4), across: 11, down: 25, degrees: 15)
        fillBoth(ear, Paint(coat.marking.mixed(with: .black, 0.12), coat.marking.mixed(with: .black, 0.3)))
        fill(.ellipse(Point(0, -3), across: 29, down: 31), Paint(light, shade))
        fillBoth(.ellipse(Point(-16, 11), across: 14, down: 14), Paint(coat.fur, shade, softness: 2))
        if coat.isMarked {
            fill(
                .ellipse(Point(12.5, -8), across: 10.5, down: 13, degrees: -12),
                Paint(coat.marking, opacity: 0.92, softness: 1.5)
            )
        }
        fill(
            .polygon([Point(-2, -27), Point(2, -27), Point(5.5, 6), Point(-5.5, 6)], rounding: 2.5),
            Paint(coat.pale, coat.pale, softness: 1.5)
        )
        let fold = Shape.ellipse(Point(-31.5, -6), across: 9.5, down: 22.5, degrees: 12)
        fillBoth(fold, Paint(coat.marking.mixed(with: .white, 0.1), coat.marking.mixed(with: .black, 0.1)))
    }

    private mutating func paintDogEye(_ coat: Coat, side: Float) {
        let center = Point(side * 12, -7)
        fill(.ellipse(center, across: 6.1, down: 6.6), Paint(hex: 0x1E1512))
        fill(.ellipse(center + Point(0, 0.6), across: 5, down: 5.4), Paint(coat.eye.mixed(with: .black, 0.5), coat.eye))
        fill(.ellipse(center, across: 3.2, down: 3.6), Paint(.black))
        fill(.ellipse(center + Point(-1.8, -2.3), across: 1.9, down: 1.9), Paint(.white))
        fill(.ellipse(center + Point(1.9, 2.2), across: 0.9, down: 0.9), Paint(.white, opacity: 0.75))
        let brow = [Point(-4.5, -10), Point(-0.5, -12), Point(4, -10.8)].map { Point($0.x * side, $0.y) + center }
        fill(.curve(brow, width: 1.8), Paint(coat.marking.mixed(with: .black, 0.2), opacity: 0.75))
    }

    private mutating func paintDogMuzzle(_ coat: Coat) {
        let dark = PictureColor(hex: 0x2A1B17)
        if coat.isHappy {
            fill(.ellipse(Point(0, 24), across: 8.5, down: 6), Paint(hex: 0x5A1F22))
            fill(.ellipse(Point(0, 28.5), across: 5.6, down: 8), Paint(hex: 0xF0808A, 0xE05F6E))
            fill(.stroke([Point(0, 24), Point(0, 32)], width: 0.9), Paint(hex: 0xC44A5A, opacity: 0.8))
        }
        let pale = Paint(coat.pale, shade: 0.1)
        fill(.ellipse(Point(0, 11), across: 11, down: 9), pale)
        fillBoth(.ellipse(Point(-8, 16), across: 10.5, down: 9, degrees: -8), pale)
        fill(.stroke([Point(0, 10), Point(0, 18)], width: 1.3), Paint(dark))
        let lip = [Point(0, 18), Point(-3.5, 22), Point(-9, 22.5), Point(-14, 19.5)]
        fillBoth(.curve(lip, width: 1.4), Paint(dark))
        for spot in [Point(-9, 14), Point(-12.5, 16.5), Point(-8.5, 18)] {
            fillBoth(.ellipse(spot, across: 0.7, down: 0.7), Paint(dark, opacity: 0.55))
        }
        fill(
            .polygon([Point(-5, 4), Point(5, 4), Point(2.2, 9.5), Point(-2.2, 9.5)], rounding: 2.4),
            Paint(hex: 0x3B2A28, 0x000000)
        )
        fill(.ellipse(Point(-2, 4), across: 2.4, down: 1.1), Paint(.white, opacity: 0.6, softness: 0.8))
        fillBoth(.ellipse(Point(-20, 11), across: 5, down: 3.6), Paint(hex: 0xF48A8A, opacity: 0.28, softness: 4))
    }
}
