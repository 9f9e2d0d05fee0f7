import { authorizing } from "./chapters/authorizing.ts"
import { backingOff } from "./chapters/backing-off.ts"
import { changing, creating } from "./chapters/creating.ts"
import { broken, paging, reading } from "./chapters/reading.ts"
import { receiving } from "./chapters/receiving.ts"
import { repeating, waiting } from "./chapters/repeating.ts"
import { type Chapter, petOf, practice } from "./task.ts"

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

/** What an adapter is tried with. */
export const trial: Chapter = {
  name: "Trial",
  tasks: [
    {
      name: "reads-a-pet",
      expects: "A pet is read from a service that does not fail.",
      source: practice,
      steps: [{ action: "readPet", input: { id: 1 } }],
      judgeSaid: petOf,
      judge: () => undefined,
    },
  ],
}
