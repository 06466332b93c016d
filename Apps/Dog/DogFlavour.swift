import TodoApp

/// What makes this build a Dog.
let flavour = Flavour(
    name: "Dog",
    animal: "dog",
    symbol: "🐶",
    accent: 0xB4631C,
    pictures: DogPictures(),
    bundledPicture: BundledPicture.jpeg
)
