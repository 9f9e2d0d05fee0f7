import { authorizing } from "./chapters/authorizing.ts"
import { changing, creating } from "./chapters/creating.ts"
import { broken, paging, reading } from "./chapters/reading.ts"
import { receiving } from "./chapters/receiving.ts"
import { backingOff, repeating, waiting } from "./chapters/repeating.ts"
import type { Chapter } from "./task.ts"

/** What a client of an API is examined in. */
export const chapters: readonly Chapter[] = [
  waiting,
  repeating,
  backingOff,
  creating,
  changing,
  paging,
  reading,
  broken,
  authorizing,
  receiving,
]
