// One import for all files of the module, and for its clients, whose values have dates and identifiers of Foundation.
@_exported public import EssentialFoundation
