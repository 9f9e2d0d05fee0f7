export const jsonType = "application/json"

/** Whether a body of this type is one JSON value. */
export const isJsonType = (type: string): boolean => /^application\/(.+\+)?json$/.test(type)

export const xmlType = "application/xml"
export const urlencodedType = "application/x-www-form-urlencoded"
/** Newline-delimited JSON: one value on each line. */
export const ndjsonType = "application/x-ndjson"
export const multipartType = "multipart/form-data"
export const eventStreamType = "text/event-stream"

/** A JSON merge patch (RFC 7396), also accepted as plain JSON. */
export const patchTypes: readonly string[] = ["application/merge-patch+json", jsonType]

export const formTypes: readonly string[] = [urlencodedType, multipartType]

/** The responses of classic operations, and bodies that do not fit into a form. */
export const jsonOrXml: readonly string[] = [jsonType, xmlType]

/** The bodies of classic operations. Written out, because a bundler keeps a list that is made of others. */
export const classicTypes: readonly string[] = [jsonType, xmlType, urlencodedType, multipartType]
