/** Why a tool reports something of the service without a defect: a line for each kind of its reports. */
export const explanations: Readonly<Record<string, readonly string[]>> = {
  Schemathesis: [
    "values that only the service knows: an invented `cursor`, event or pet of an order, a condition, an `Idempotency-Key` that it sends with different requests, the scopes of an account's owner, a file that is no image by its content, a wrong password (400, as in the classic Petstore), an item of a batch, and names without a visible character, CIDRs and redirect URIs, of which it knows no format",
    "members that depend on each other or on what is stored: filters that exclude each other, a field that differs between query and form, `since`, which may be in either, a body without a known member, an `id` that cannot be changed",
    "`null` for an optional member, and an empty element for an optional number, boolean or enumeration: they count as omitted, because generated clients send them, and a description that allows `null` would make the types of those clients worse",
    "what it does not write: `application/x-ndjson`, JSON in fields of a form (`encoding`), a form without fields, and in XML `null` and characters that XML does not have; it sends `If-Match: 0` against the pattern",
    "the methods that only the whole description has, with `openapi.classic.json`; and an API key cannot read the consents of a person",
  ],
  Dredd: [
    "responses that the request does not lead to: it sends the same correct request for each documented response, and expects 400, 404, 409 or 422",
    "406 for `Accept: application/problem+json`, which no success has",
    "bodies of XML and forms, for which it finds no example and sends none",
    "`application/xml; charset=utf-8`, where it expects `application/xml` to the letter",
    "what its earlier requests changed: it deletes the pet and the order that it needs later, orders a pet and registers a user twice",
    "optional members, such as `shipDate`, which it requires because the example has them",
  ],
}
