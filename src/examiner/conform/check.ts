import type { ChapterOf } from "../verdict.ts"
import { addPetFirst, type Subject } from "./subject.ts"

/** A promise of a pet store. */
export type Check = {
  name: string
  /** The promise. */
  expects: string
  /** Who makes it: the description of the public Petstore, an RFC, or this service for itself. */
  source: "description" | `RFC ${number} section ${string}` | "ours"
  /** Rejects with Missed when the service does something else, and with Unclaimed when it does not claim to do this. */
  examine(subject: Subject): Promise<void>
}

export type ConformChapter = ChapterOf<Check>

/** Checks that are only for a service to which a pet can be added. */
export const afterAddingAPet = (checks: readonly Check[]): Check[] =>
  checks.map((check) => ({
    ...check,
    async examine(subject) {
      await addPetFirst(subject)
      await check.examine(subject)
    },
  }))
