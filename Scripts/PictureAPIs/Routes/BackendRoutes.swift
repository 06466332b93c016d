public import LoopbackServer

/// A part of the backend: what it answers, or `nil` for requests that are not its own.
///
/// The seam for more services: give further routes to ``PictureAPIServer`` and they are asked first.
public protocol BackendRoutes: Sendable {
    /// The answer to a request, or `nil` to let the next routes see it.
    func answer(to request: ServedRequest) async -> ServedResponse?
}
