import { randomBytes } from "node:crypto"

const timeDigits = 11
const form = /^[0-9a-f]{11}-[0-9a-f]{32}$/

/** The time and a random number: a key is used once, shows how old it is, and sorts by that. */
export const createBlobKey = (at: number): string =>
  `${at.toString(16).padStart(timeDigits, "0")}-${randomBytes(16).toString("hex")}`

export const isBlobKey = (name: string): boolean => form.test(name)

/** When a key was made, in milliseconds since the epoch. */
export const timeOfBlobKey = (key: string): number => Number.parseInt(key.slice(0, timeDigits), 16)
