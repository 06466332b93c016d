import TodoApp

/// What makes this build a Cat.
let flavour = Flavour(
    name: "Cat",
    animal: "cat",
    symbol: "🐱",
    accent: 0x5B4FC7,
    pictures: CatPictures(),
    bundledPicture: BundledPicture.jpeg
)
