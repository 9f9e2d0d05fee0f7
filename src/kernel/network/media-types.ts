export const jsonType = "application/json"
export const xmlType = "application/xml"
export const urlencodedType = "application/x-www-form-urlencoded"
export const multipartType = "multipart/form-data"
export const eventStreamType = "text/event-stream"

/** A JSON merge patch (RFC 7396), which may call itself plain JSON. */
export const patchTypes: readonly string[] = ["application/merge-patch+json", jsonType]

/** Fields by name: what an HTML form sends. */
export const formTypes: readonly string[] = [urlencodedType, multipartType]

/** What the responses of the classic petstore's operations may be, and a body that no form could hold. */
export const jsonOrXml: readonly string[] = [jsonType, xmlType]

/** What the bodies of the classic petstore's operations may be. */
export const classicTypes: readonly string[] = [...jsonOrXml, ...formTypes]
