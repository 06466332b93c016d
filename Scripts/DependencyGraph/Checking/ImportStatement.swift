/// An import in a Swift source file.
public struct ImportStatement: Sendable, Equatable {
    /// The module, without a submodule or a declaration's name.
    public var module: String
    /// The line, from 1.
    public var line: Int
    /// Whether the import hands the module on (`@_exported`).
    public var isExported: Bool
    /// The modules that an enclosing `#if canImport(...)` asks for.
    public var guards: [String]
}
