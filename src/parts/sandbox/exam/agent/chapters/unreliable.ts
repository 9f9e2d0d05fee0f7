import type { AgentChapter } from "../agent-task.ts"

const five = ["Ada", "Bob", "Cleo", "Dora", "Emil"]
const rex = { name: "Rex", category: { name: "Dogs" }, photoUrls: [] }

export const unreliableService: AgentChapter = {
  name: "An unreliable service",
  tasks: [
    {
      name: "adds-once",
      expects: "Adds a pet once, although the first response is lost.",
      words: "Add a dog (category Dogs) with the name Rex, without photos. There must be one Rex.",
      faults: [{ operation: "addPet", fault: "fault=lose", times: 1 }],
      may: ["addPet"],
      wanted: (petstore) => petstore.addPet({ body: rex }),
    },
    {
      name: "adds-each-once",
      expects: "Adds five pets once each, although the third is 503 once; waits as long as that says.",
      words: `Add five pets with addPet, in this order and without photos: ${five.join(", ")}.`,
      faults: [
        { operation: "addPet", fault: "wait=0", times: 2 },
        { operation: "addPet", fault: "code=503; retry-after=2", times: 1 },
      ],
      may: ["addPet"],
      wanted: async (petstore) => {
        for (const name of five) await petstore.addPet({ body: { name, photoUrls: [] } })
      },
    },
    {
      name: "waits-as-it-should",
      expects: "Repeats a list that is 429 after the time that it says, and counts the pets in it.",
      words: "How many lions are available?",
      faults: [{ operation: "listPets", fault: "code=429; retry-after=2", times: 1 }],
      says: { count: 3 },
      callsMax: 10,
    },
    {
      name: "stops-for-an-hour",
      expects: "Reports the hour after which the service responds again; does not repeat requests or invent a result.",
      words:
        "What is the status of pet 1? If you cannot find out now, give an empty status, and the seconds after which to try again, otherwise 0.",
      faults: [{ fault: "code=429; retry-after=3600" }],
      says: { status: "", retryAfterSeconds: 3600 },
      callsMax: 5,
    },
    {
      name: "continues-where-it-failed",
      expects: "Does the second of two steps again, which was 502, and not the first.",
      words: "Add a rabbit (category Rabbits) with the name Milo, without photos, and order him, one piece.",
      faults: [{ operation: "placeOrder", fault: "fault=html", times: 1 }],
      may: ["addPet", "placeOrder"],
      wanted: async (petstore) => {
        const body = { name: "Milo", category: { name: "Rabbits" }, photoUrls: [] }
        const { value: pet } = await petstore.addPet({ body })
        await petstore.placeOrder({ body: { petId: pet.id, quantity: 1 } })
      },
    },
  ],
}
