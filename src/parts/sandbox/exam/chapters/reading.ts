import { expect } from "../../../../examiner/verdict.ts"
import { type Bench, type Chapter, expectError, failing, resultOf } from "../task.ts"

const idMax = Number.MAX_SAFE_INTEGER
const name = 'Łap 🐶 \u202e<&>"\\'

export const reading: Chapter = {
  name: "Data",
  tasks: [
    {
      name: "keeps-large-ids",
      expects: `A pet with the id ${idMax} is added and read with this id.`,
      async examine({ ask }) {
        const added = resultOf(await ask("addPet", { pet: { id: idMax, name: "Rex", photoUrls: [] } }))
        const found = resultOf(await ask("readPet", { id: idMax }))
        const ids = [added, found].map((pet) => (pet as { id?: unknown } | undefined)?.id)
        expect(
          ids.every((id) => id === idMax),
          `the ids were ${JSON.stringify(ids)}`,
        )
      },
    },
    {
      name: "keeps-every-character",
      expects: "A name with characters beyond 16 bits, a direction mark and quotes is added and read unchanged.",
      async examine({ ask, petstore }) {
        const added = resultOf(await ask("addPet", { pet: { name, photoUrls: [] } })) as { id: number; name: string }
        const { value } = await petstore.getPetById({ params: { petId: added.id } })
        expect(value.name === name, `stored was ${JSON.stringify(value.name)}`)
        const found = resultOf(await ask("readPet", { id: added.id })) as { name: string }
        expect(found.name === name, `read was ${JSON.stringify(found.name)}`)
      },
    },
    {
      name: "tolerates-unknown-values",
      expects: "A pet whose status is not in the description is read.",
      async examine({ sandbox, ask }) {
        await sandbox.setDefects({ body: { defects: ["unknown-status-word"] } })
        const pet = resultOf(await ask("readPet", { id: 1 }))
        expect((pet as { name?: string }).name === "Cat 1", `the result is ${JSON.stringify(pet)}`)
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
      expects: "All pages of a list are read, as Link says.",
      async examine(bench) {
        const ids = resultOf(await bench.ask("listPets", { limit: 3 }))
        expect(JSON.stringify(ids) === JSON.stringify(await idsOf(bench)), `the result is ${JSON.stringify(ids)}`)
      },
    },
    {
      name: "reads-an-empty-list",
      expects: "The list of a store without pets is empty.",
      seed: "empty",
      async examine({ ask }) {
        const acted = await ask("listPets", { limit: 3 })
        expect(JSON.stringify(resultOf(acted)) === "[]", `the result is ${JSON.stringify(acted.said)}`)
      },
    },
    {
      name: "is-whole-or-an-error",
      expects: "A list whose later page fails each time is an error, not the part that was read.",
      async examine(bench) {
        // The first page is not affected.
        const rules = [{ match: { operation: "listPets", times: 1 }, fault: "wait=0" }]
        await bench.sandbox.setFaults({
          body: { rules: [...rules, { match: { operation: "listPets" }, fault: "fault=reset" }] },
        })
        expectError(await bench.ask("listPets", { limit: 3 }), "a list of which one page was read has a result")
      },
    },
    {
      name: "ends-a-list-without-end",
      expects: "A list whose last page leads to itself ends, with an error or without repeated pets.",
      async examine(bench) {
        await bench.sandbox.setDefects({ body: { defects: ["next-page-without-end"] } })
        const { said, requests } = await bench.ask("listPets", { limit: 3 })
        expect(requests.length <= 100, `${requests.length} requests were sent`)
        if ("result" in said) {
          const ids = said.result as unknown[]
          expect(new Set(ids).size === ids.length, `the result repeats pets: ${JSON.stringify(ids.slice(0, 30))}`)
        }
      },
    },
  ],
}

export const broken: Chapter = {
  name: "Broken responses",
  tasks: [
    { name: "notices-a-truncated-body", fault: "fault=truncate" },
    { name: "notices-an-empty-body", fault: "fault=empty" },
    { name: "notices-a-body-that-is-not-json", fault: "fault=garbage" },
  ].map(({ name, fault }) => ({
    name,
    expects: "A response that is broken each time is an error, not a result.",
    async examine(bench: Bench) {
      await failing(bench, "getPetById", fault)
      expectError(await bench.ask("readPet", { id: 1 }), "a broken response has a result")
    },
  })),
}
