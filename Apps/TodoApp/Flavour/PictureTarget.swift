public import NetworkProvider

/// A target of a picture service: somebody is looking at the place where the picture will be, so it soon gives up.
public protocol PictureTarget: RemoteTargetType {}

extension PictureTarget {
    /// Five seconds to connect, ten between signs of life, thirty in all.
    public var timeout: HTTPTimeouts {
        HTTPTimeouts(connect: .seconds(5), idle: .seconds(10), total: .seconds(30))
    }
}
