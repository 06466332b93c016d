// Foundation without its networking, internationalisation and XML where the platform has it in parts: on Linux a program that
// links the essentials alone is 50 MB smaller and starts 10 ms earlier.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
