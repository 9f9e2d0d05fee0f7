import { randomBytes } from "node:crypto"

const prefix = `${randomBytes(9).toString("base64url")}-`
let count = 0

/** A unique id: a random prefix of the process, and a count. */
export const nextRequestId = (): string => prefix + (++count).toString(36)

/** Bounded, and of characters that need no escape in logs, headers and JSON. */
const sane = /^[\w.:+/=@-]{1,128}$/

/** The caller's own id, so that both logs name the request alike, or a new one. */
export const requestIdOf = (asked: string | string[] | undefined): string =>
  typeof asked === "string" && sane.test(asked) ? asked : nextRequestId()
