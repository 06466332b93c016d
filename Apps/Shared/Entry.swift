import TodoApp

// One line for each flavour. Its folder under Apps defines `flavour`.
#if DOG
#elseif CAT
#else
    #error("This build has no flavour: build the product Dog or Cat, or pass -D DOG or -D CAT.")
#endif

/// The entry point of every flavour.
@main
enum Entry {
    static func main() async {
        await Program.run(flavour)
    }
}
