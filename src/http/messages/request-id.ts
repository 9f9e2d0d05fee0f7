import { randomBytes } from "node:crypto"

const prefix = randomBytes(9).toString("base64url")
let count = 0

/** An id no other request has, in this process or another: what is random of the process, and a count. */
export const nextRequestId = (): string => `${prefix}-${(++count).toString(36)}`
