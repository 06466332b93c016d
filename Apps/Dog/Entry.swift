import TodoApp

// One line for each flavour that a build may be; its folder under Apps says what `flavour` is.
#if DOG
#elseif CAT
#else
    #error("This build has no flavour: build the product Dog or Cat, or pass -D DOG or -D CAT.")
#endif

/// Where every flavour of the app begins.
@main
enum Entry {
    static func main() async {
        await Program.run(flavour)
    }
}
