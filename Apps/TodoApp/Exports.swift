// A flavour describes its picture API with NetworkProvider's types, and writes one import.
@_exported public import NetworkProvider
