import Foundation
public import HTTPTransport
public import TestSupport

extension TestAuthority {
    /// Trust in this authority alone.
    public var trust: HTTPTLSSettings.Trust { .authorities(.file(path: root.certificate.path)) }
}
