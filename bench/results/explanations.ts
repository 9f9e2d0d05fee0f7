/** Why a tool reports something of the service without a defect: a line for each kind of its reports. */
export const explanations: Readonly<Record<string, readonly string[]>> = {
  Schemathesis: [
    "values that only the service knows: an invented `cursor`, event or pet of an order, a condition, an `Idempotency-Key` that it sends with different requests, the scopes of an account's owner, a file that is no image by its content, a wrong password (400, as in the classic Petstore), and names without a visible character, CIDRs and redirect URIs, of which it knows no format",
    "members that depend on each other or on what is stored: filters that exclude each other, a field that differs between query and form, `since`, which may be in either, a body without a known member, an `id` that cannot be changed",
    "`null` for an optional member, and an empty element for an optional number, boolean or enumeration: they count as omitted, because generated clients send them, and a description that allows `null` would make the types of those clients worse",
    "what it does not write: `application/x-ndjson`, JSON in fields of a form (`encoding`), a form without fields, and in XML `null` and characters that XML does not have; it sends `If-Match: 0` against the pattern",
    "items of a batch or an import, each of which has its own status within a 200",
    "an API key cannot read the consents of a person",
  ],
  Dredd: [
    "responses that the request does not lead to: it sends the same correct request for each documented response, and expects 400, 404, 409 or 422",
    "406 for `Accept: application/problem+json`, which no success has",
    "bodies of XML and forms, for which it finds no example and sends none",
    "`application/xml; charset=utf-8`, where it expects `application/xml` to the letter",
    "what its earlier requests changed: it deletes the pet and the order that it needs later, orders a pet and registers a user twice",
    "optional members, such as `shipDate`, which it requires because the example has them, and every header that a response may have, such as `Link` and `Retry-After`",
    "an empty `If-Match` or `If-None-Match`, which it sends where the description has no example (400)",
  ],
  "Redocly Respect": [
    "what its earlier requests deleted: it sends a request for each operation, in the order of the description (404)",
    "what no API key may: see or end the consents of a person (403), and revoke, rotate or suspend the well-known keys of a sandbox (409)",
    "members of `details` in the audit log, which the description does not forbid",
  ],
  OFFAT: [
    "the address of the service, in the `type` of each error: it calls every IP address exposed",
    "the words key, password and secret in the texts of errors and as names of members: it calls them exposed credentials",
    "a text of 40 letters, digits and slashes: it calls it a secret key of AWS",
  ],
  "Portman, Newman": [
    "what its earlier requests deleted, each time as the status, the media type and the schema (404)",
    "what no API key may, in the same way (403), and the well-known keys of a sandbox (409)",
    "the format `cidr`, which its validator does not know",
    "the stream of events, which does not end",
  ],
}
