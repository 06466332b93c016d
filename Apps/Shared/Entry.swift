import TodoApp

// The flavours of the app: the flag of a target, which Package.swift defines, names its flavour.
#if DOG
    private let flavour = Flavour.dog
#elseif CAT
    private let flavour = Flavour.cat
#else
    #error("No flavour: add the flag of this target to Apps/Shared/Entry.swift.")
#endif

/// The entry point of every flavour.
@main
enum Entry {
    static func main() async {
        await Program.run(flavour)
    }
}
