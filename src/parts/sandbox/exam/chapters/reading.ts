import { expect } from "../../../../examiner/verdict.ts"
import { type Bench, type Chapter, expectError, failing, petOf, practice, resultOf } from "../task.ts"

const idMax = Number.MAX_SAFE_INTEGER
const name = 'Łap 🐶 \u202e<&>"\\'

export const reading: Chapter = {
  name: "Data",
  tasks: [
    {
      name: "keeps-large-ids",
      source: "RFC 8259 section 6",
      expects: `A pet with the id ${idMax} is added and read with this id.`,
      async examine({ ask }) {
        const added = petOf(await ask("addPet", { pet: { id: idMax, name: "Rex", photoUrls: [] } }))
        const found = petOf(await ask("readPet", { id: idMax }))
        const ids = [added.id, found.id]
        expect(
          ids.every((id) => id === idMax),
          `the ids were ${JSON.stringify(ids)}`,
        )
      },
    },
    {
      name: "keeps-every-character",
      source: "RFC 8259 section 8.1",
      expects: "A name with characters beyond 16 bits, a direction mark and quotes is added and read unchanged.",
      async examine({ ask, petstore }) {
        const added = petOf(await ask("addPet", { pet: { name, photoUrls: [] } }))
        const stored = (await petstore.listPets({ query: { limit: 100 } })).value.find(({ id }) => id === added.id)
        expect(stored?.name === name, `stored was ${JSON.stringify(stored?.name)}`)
        const found = petOf(await ask("readPet", { id: added.id }))
        expect(found.name === name, `read was ${JSON.stringify(found.name)}`)
      },
    },
  ],
}

async function idsOf({ petstore }: Bench): Promise<unknown[]> {
  return (await petstore.listPets({ query: { limit: 100 } })).value.map(({ id }) => id)
}

export const paging: Chapter = {
  name: "Pages",
  tasks: [
    {
      name: "follows-link-to-the-end",
      source: "RFC 8288 section 3",
      expects: "All pages of a list are read, as Link says.",
      async examine(bench) {
        const ids = resultOf(await bench.ask("listPets", { limit: 3 }))
        expect(JSON.stringify(ids) === JSON.stringify(await idsOf(bench)), `the result is ${JSON.stringify(ids)}`)
      },
    },
    {
      name: "reads-an-empty-list",
      source: practice,
      expects: "The list of a store without pets is empty.",
      seed: "empty",
      async examine({ ask }) {
        const acted = await ask("listPets", { limit: 3 })
        expect(JSON.stringify(resultOf(acted)) === "[]", `the result is ${JSON.stringify(acted.said)}`)
      },
    },
    {
      name: "is-whole-or-an-error",
      source: practice,
      expects: "A list whose later page fails each time is an error, not the part that was read.",
      async examine(bench) {
        // The first page is not affected.
        const rules = [{ match: { operation: "listPets", times: 1 }, fault: "wait=0" }]
        await bench.sandbox.setFaults({
          body: { rules: [...rules, { match: { operation: "listPets" }, fault: "fault=reset" }] },
        })
        const acted = await bench.ask("listPets", { limit: 3 })
        expect(acted.requests.length > 1, "the next page was not requested")
        expectError(acted, "a list of which one page was read has a result")
      },
    },
  ],
}

export const broken: Chapter = {
  name: "Broken responses",
  tasks: [
    {
      name: "notices-a-truncated-body",
      expects: "A body that ends after half of its Content-Length, each time, is an error, not a result.",
      source: "RFC 9112 section 8",
      examine: (bench) => readBroken(bench, "fault=truncate"),
    },
    {
      name: "notices-an-empty-body",
      expects:
        "A body that ends before its first byte, against its Content-Length, each time, is an error, not a result.",
      source: "RFC 9112 section 8",
      examine: (bench) => readBroken(bench, "fault=empty"),
    },
    {
      name: "notices-a-body-that-is-not-json",
      expects: "A 200 of the type application/json whose body is no JSON, each time, is an error, not a result.",
      source: practice,
      examine: (bench) => readBroken(bench, "fault=garbage"),
    },
  ],
}

async function readBroken(bench: Bench, fault: string): Promise<void> {
  await failing(bench, "getPetById", fault)
  expectError(await bench.ask("readPet", { id: 1 }), "a broken response has a result")
}
