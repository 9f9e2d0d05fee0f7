import { expect } from "../../verdict.ts"
import { afterAddingAPet, type ConformChapter } from "../check.ts"
import {
  addAnyPet,
  addPetFirst,
  claim,
  expectEqual,
  expectRefusal,
  expectStatus,
  newPet,
  readPet,
  type Subject,
  unusedId,
} from "../subject.ts"

const idMax = Number.MAX_SAFE_INTEGER
const withoutId = { id: undefined }

/** The check is only for a service that has no pet with this id. */
async function claimUnused({ send }: Subject, id: number | bigint): Promise<void> {
  claim((await send("GET", `/pet/${id}`)).status !== 200, `there is a pet ${id} already`)
}

export const ids: ConformChapter = {
  name: "Ids",
  tasks: afterAddingAPet([
    {
      name: "keeps-the-id-of-a-client",
      expects: "A pet that is added with an unused id has it.",
      source: "description",
      async examine(subject) {
        const id = unusedId()
        expectEqual((await addAnyPet(subject, { id })).id, id, "the id")
        await readPet(subject, id)
      },
    },
    {
      name: "zero-is-no-id",
      expects: "A pet that is added with the id 0 has another one.",
      source: "ours",
      async examine(subject) {
        await claimUnused(subject, 0)
        const { id } = await addAnyPet(subject, { id: 0 })
        expect(id > 0, `the id is ${id}`)
      },
    },
    {
      name: "never-rounds",
      expects: "An id beyond 53 bits is kept exactly or refused.",
      source: "description",
      async examine(subject) {
        const id = 9007199254740993n
        await claimUnused(subject, id)
        const body = `{"id":${id},"name":"Rex","photoUrls":[]}`
        const reply = await subject.send("POST", "/pet", { headers: { "content-type": "application/json" }, body })
        if (reply.status === 200)
          expect(new RegExp(`"id": *${id}\\b`).test(reply.text), `the response is ${reply.text}`)
        else expectRefusal(reply)
      },
    },
    {
      name: "keeps-the-largest-id",
      expects: `The id ${idMax} is kept exactly.`,
      source: "description",
      async examine(subject) {
        await claimUnused(subject, idMax)
        const { text } = await subject.send("POST", "/pet", { body: newPet({ id: idMax }) })
        expect(text.includes(String(idMax)), `the response is ${text}`)
        expectEqual((await readPet(subject, idMax)).id, idMax, "the id")
      },
    },
    {
      name: "overwrites-nothing",
      expects: "A pet that is added with the id of another is refused, and the other remains.",
      source: "ours",
      async examine(subject) {
        const pet = await addPetFirst(subject)
        expectRefusal(await subject.send("POST", "/pet", { body: { id: pet.id, name: "Max", photoUrls: [] } }))
        expectEqual(await readPet(subject, pet.id), pet, "the pet")
      },
    },
    {
      name: "zero-and-less-are-404",
      expects: "An integer that is the id of no pet is 404, also 0 and -1.",
      source: "description",
      async examine({ send }) {
        for (const id of ["0", "-1", String(idMax)]) expectStatus(await send("GET", `/pet/${id}`), 404)
      },
    },
    {
      name: "beyond-64-bits-is-400",
      expects: "An id beyond 64 bits is 400.",
      source: "ours",
      examine: async ({ send }) => expectStatus(await send("GET", "/pet/99999999999999999999"), 400),
    },
    {
      name: "gives-each-pet-an-id",
      expects: "Pets that are added without an id have different ones, integers from 1 on.",
      source: "description",
      async examine(subject) {
        const given = [await addAnyPet(subject, withoutId), await addAnyPet(subject, withoutId)].map(({ id }) => id)
        for (const id of given) expect(Number.isSafeInteger(id) && id > 0, `an id is ${id}`)
        expect(given[0] !== given[1], `two pets have the id ${given[0]}`)
      },
    },
    {
      name: "gives-ids-to-names",
      expects: "The category and the tags of a pet that were sent without ids have some.",
      source: "ours",
      async examine(subject) {
        const { category, tags } = await addAnyPet(subject, { category: { name: "Dogs" }, tags: [{ name: "calm" }] })
        const given = [category?.id, tags?.[0]?.id]
        expect(given.every(Number.isInteger), `the ids are ${given.join(" and ")}`)
      },
    },
    {
      name: "concurrent-ids-differ",
      expects: "Twenty pets that are added at once have twenty ids.",
      source: "ours",
      async examine(subject) {
        const first = await subject.send("POST", "/pet", { body: newPet(withoutId) })
        claim(first.status === 200, "it does not give ids")
        const pets = await Promise.all(Array.from({ length: 20 }, () => addAnyPet(subject, withoutId)))
        expectEqual(new Set(pets.map(({ id }) => id)).size, 20, "the number of ids")
      },
    },
  ]),
}
