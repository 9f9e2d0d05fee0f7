import { randomBytes } from "node:crypto"

const timeDigits = 11
const form = /^[0-9a-f]{11}-[0-9a-f]{32}$/

/** A time and a random number: keys are unique and sort by age. */
export const createBlobKey = (at: number): string =>
  `${at.toString(16).padStart(timeDigits, "0")}-${randomBytes(16).toString("hex")}`

export const isBlobKey = (name: string): boolean => form.test(name)

/** The object or file that holds the identity of the database to which the images belong. */
export const ownerName = "database-id"

/** An object or file that an operator creates to let one sweep exceed its usual bound. */
export const agreementName = "sweep-anyway"

/** When a key was created, in milliseconds since the epoch. */
export const timeOfBlobKey = (key: string): number => Number.parseInt(key.slice(0, timeDigits), 16)
