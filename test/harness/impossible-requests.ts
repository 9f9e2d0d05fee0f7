/** What no recorded request can have, and why. */
export const impossible: [Record<string, string>, RegExp][] = [
  [{ path: "/pet/{petId}" }, /must be the path of a request/],
  [{ path: "/api/v3/pet/{petId}*" }, /must be the path of a request/],
  [{ path: "/pet/1?a=b" }, /without a query/],
  [{ path: "/s/other/api/v3/pet/1" }, /of this sandbox/],
  [{ path: "/api/v3/sandbox/requests" }, /not recorded/],
  [{ method: "GETT" }, /a method of HTTP/],
  [{ operation: "listRequests" }, /not recorded/],
  [{ header: ":" }, /the name of a header/],
  [{ header: "a b: c" }, /the name of a header/],
  [{ header: "api_key: special-key" }, /use key/],
  [{ header: "Authorization: Bearer x" }, /use key/],
]
