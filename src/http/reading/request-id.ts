import { randomBytes } from "node:crypto"

const prefix = randomBytes(9).toString("base64url")
let count = 0

/** An id no other request has, in this process or another: what is random of the process, and a count. */
export const nextRequestId = (): string => `${prefix}-${(++count).toString(36)}`

/** Of a length and of characters that stay what they are in logs, headers and JSON. */
const sane = /^[\w.:+/=@-]{1,128}$/

/** The caller's own id of a request, so that it is found in the logs of both, or one of ours. */
export const requestIdOf = (asked: string | string[] | undefined): string =>
  typeof asked === "string" && sane.test(asked) ? asked : nextRequestId()
