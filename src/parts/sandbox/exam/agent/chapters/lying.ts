import type { AgentChapter } from "../agent-task.ts"

const many = Array.from({ length: 25 }, (_, n) => ({ name: `Mouse ${n + 1}`, photoUrls: [] }))

export const lyingService: AgentChapter = {
  name: "A service that is wrong",
  tasks: [
    {
      name: "looks-whether-it-is-deleted",
      expects: "Says that a pet remains, although its deletion was a success.",
      words: "Delete pet 4, and find out whether it is deleted. Try it twice at most.",
      defects: ["delete-keeps-pet"],
      must: "deletePet",
      may: ["deletePet"],
      callsMax: 8,
      says: { deleted: false },
    },
    {
      name: "reads-again",
      expects: "Says what is stored, although the first read after the change shows the earlier status.",
      words: "Read pet 1, give it the status sold, and find out which status is stored now.",
      defects: ["stale-read"],
      may: ["patchPet"],
      wanted: (petstore) => petstore.patchPet({ params: { petId: 1 }, body: { status: "sold" } }),
      says: { status: "sold" },
      callsMax: 12,
    },
    {
      name: "sees-that-counts-differ",
      expects: "Says that the inventory and the list of pets have different numbers.",
      words: "How many pets are available, by the inventory and by the list of pets? Are the numbers equal?",
      defects: ["inventory-off-by-one"],
      says: { inventory: 8, list: 7, equal: false },
    },
    {
      name: "ends-a-list-without-end",
      expects: "Counts the pets of a list whose last page leads to itself.",
      words: "How many pets are there? Count them in the list, 20 at a time.",
      seed: "empty",
      prepare: (others) => others.importPets({ body: many }),
      defects: ["next-page-without-end"],
      says: { count: many.length },
      callsMax: 12,
    },
    {
      name: "removes-what-was-refused",
      expects: "Finds that a pet that was refused was added nevertheless, and deletes it.",
      words:
        "Try to add a pet with the name Bo, without photos, with the status lost. If the store refuses it, no pet Bo may remain. Was one left behind?",
      defects: ["failed-creation-stays"],
      must: "addPet",
      may: ["addPet", "deletePet"],
      says: { added: false, leftBehind: true },
    },
  ],
}
