import type { PetDraft } from "../../../../../core/domain/pets/contract.ts"
import type { AgentChapter } from "../agent-task.ts"

const added: readonly PetDraft[] = [
  { name: "Ada", photoUrls: [] },
  { name: "Bob", photoUrls: [], status: "sold" },
  { name: "Dora", photoUrls: [], tags: [{ name: "calm" }] },
  { name: "Emil", photoUrls: [] },
]

/** What is added, and three that are refused. */
const lines = [
  added[0],
  { name: "", photoUrls: [] },
  added[1],
  { name: "Cleo", photoUrls: [], status: "lost" },
  { photoUrls: [], tags: [{ name: "calm" }] },
  ...added.slice(2),
]

const flock = Array.from({ length: 27 }, (_, n) => ({
  name: `Sheep ${n + 1}`,
  photoUrls: [],
  tags: [{ name: "calm" }],
}))

export const plainWork: AgentChapter = {
  name: "Plain work",
  tasks: [
    {
      name: "orders-one-pet",
      expects: "Orders the available cat with the lowest id, once.",
      words: "Order one piece of the available cat with the lowest id.",
      may: ["placeOrder"],
      wanted: (petstore) => petstore.placeOrder({ body: { petId: 1, quantity: 1 } }),
    },
    {
      name: "counts-over-pages",
      expects: "Counts the pets of a list that has two pages.",
      words: "How many pets have the tag calm? List 20 at a time.",
      prepare: (others) => others.importPets({ body: flock }),
      says: { count: flock.length },
    },
    {
      name: "imports-the-valid",
      expects: "Adds what is valid of a list, and names the lines that are not.",
      words: `Add these pets, a line each, in this order; leave out what the store refuses:\n${lines.map((line) => JSON.stringify(line)).join("\n")}\nWhich lines (from 1) were refused?`,
      may: ["importPets", "addPet"],
      wanted: async (petstore) => {
        for (const body of added) await petstore.addPet({ body })
      },
      says: { refused: [2, 4, 5] },
    },
    {
      name: "changes-one-field",
      expects: "Changes the name of one pet, and nothing else.",
      words: "Rename the pet Lion 2 to Nala. Change nothing else.",
      may: ["patchPet"],
      wanted: (petstore) => petstore.patchPet({ params: { petId: 8 }, body: { name: "Nala" } }),
    },
    {
      name: "keeps-what-a-list-has",
      expects: "Replaces one tag of several pets, and keeps the others.",
      words:
        "Replace the tag tag2 by the tag calm on each available lion that has it. Keep their other tags and the order.",
      may: ["patchPet"],
      wanted: async (petstore) => {
        await petstore.patchPet({ params: { petId: 7 }, body: { tags: [{ name: "tag1" }, { name: "calm" }] } })
        await petstore.patchPet({ params: { petId: 8 }, body: { tags: [{ name: "calm" }, { name: "tag3" }] } })
      },
    },
  ],
}
