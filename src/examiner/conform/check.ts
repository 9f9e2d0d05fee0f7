import type { ChapterOf } from "../verdict.ts"
import type { Subject } from "./subject.ts"

/** A promise of the contract. */
export type Check = {
  name: string
  /** The promise. */
  expects: string
  /** Rejects with Missed when the service does something else, and with Unclaimed when it does not claim to do this. */
  examine(subject: Subject): Promise<void>
}

export type ConformChapter = ChapterOf<Check>
