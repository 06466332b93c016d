@_exported public import HTTPTransport
