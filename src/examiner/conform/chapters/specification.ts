import { expect } from "../../verdict.ts"
import { afterAddingAPet, type ConformChapter } from "../check.ts"
import {
  type AnyPet,
  addPetFirst,
  claim,
  expectEqual,
  expectStatus,
  jsonOf,
  newPet,
  readPet,
  type Subject,
  unusedId,
  unusedName,
} from "../subject.ts"

/** A picture of one pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
)
const calmDog = { category: { name: "Dogs" }, tags: [{ name: "calm" }] }
const binary = { "content-type": "application/octet-stream" }

/** The request is 400 or 422. */
async function refuses({ send }: Subject, method: string, path: string, body: object): Promise<void> {
  expectStatus(await send(method, path, { body }), 400, 422)
}

/** What a pet says of itself, without the ids that the service chose. */
const shown = ({ name, photoUrls, category, tags, status }: AnyPet) => ({
  name,
  photoUrls,
  category: category?.name,
  tags: tags?.map((tag) => tag.name),
  status,
})

/** What every pet store has to have: pets, and what is refused. */
export const specification: ConformChapter = {
  name: "Specification",
  tasks: [
    {
      name: "creates-a-pet",
      expects: "POST /pet is 200 with the pet as it was sent.",
      source: "description",
      async examine({ send }) {
        const sent = newPet({ ...calmDog, status: "sold" }) as AnyPet
        const reply = await send("POST", "/pet", { body: sent })
        expectStatus(reply, 200)
        expectEqual(shown(jsonOf(reply)), shown(sent), "the pet")
      },
    },
    ...afterAddingAPet([
      {
        name: "reads-a-pet",
        expects: "GET /pet/{petId} is 200 with the pet that was created.",
        source: "description",
        async examine(subject) {
          const pet = await addPetFirst(subject, { ...calmDog, status: "available" })
          const read = await readPet(subject, pet.id)
          expectEqual(read, pet, "the pet")
          expectEqual([read.category?.name, read.tags?.[0]?.name], ["Dogs", "calm"], "the names")
        },
      },
      {
        name: "replaces-a-pet",
        expects: "PUT /pet is 200 with the pet, all of which is replaced.",
        source: "description",
        async examine(subject) {
          const { id } = await addPetFirst(subject, calmDog)
          const other = { id, name: "Max", photoUrls: ["p"], category: { name: "Cats" }, tags: [{ name: "shy" }] }
          expectStatus(await subject.send("PUT", "/pet", { body: { ...other, status: "sold" } }), 200)
          expectEqual(shown(await readPet(subject, id)), shown({ ...other, status: "sold" }), "the pet")
        },
      },
      {
        name: "deletes-a-pet",
        expects: "DELETE /pet/{petId} is 200, and the pet 404 from then on.",
        source: "description",
        async examine(subject) {
          const { id } = await addPetFirst(subject)
          expectStatus(await subject.send("DELETE", `/pet/${id}`), 200)
          expectStatus(await subject.send("GET", `/pet/${id}`), 404)
        },
      },
      {
        name: "finds-by-status",
        expects: "GET /pet/findByStatus has the pets with that status, and no others.",
        source: "description",
        async examine(subject) {
          const { id } = await addPetFirst(subject, { status: "sold" })
          const reply = await subject.send("GET", "/pet/findByStatus?status=sold")
          expectStatus(reply, 200)
          const pets = jsonOf(reply) as { id: number; status: string }[]
          expect(
            pets.every(({ status }) => status === "sold"),
            "a pet has another status",
          )
          expect(
            pets.some((pet) => pet.id === id),
            `the list does not have the pet ${id}`,
          )
        },
      },
      {
        name: "finds-by-tags",
        expects: "GET /pet/findByTags has the pets with one of the tags.",
        source: "description",
        async examine(subject) {
          const names = [unusedName("a"), unusedName("b")]
          const ids = []
          for (const name of names) ids.push((await addPetFirst(subject, { tags: [{ name }] })).id)
          await addPetFirst(subject, { tags: [{ name: unusedName("c") }] })
          const reply = await subject.send("GET", `/pet/findByTags?tags=${names[0]}&tags=${names[1]}`)
          expectStatus(reply, 200)
          expectEqual((jsonOf(reply) as { id: number }[]).map(({ id }) => id).sort(), ids.sort(), "the ids")
        },
      },
      {
        name: "finds-nothing",
        expects: "A search that finds nothing is 200 with an empty list.",
        source: "description",
        async examine({ send }) {
          const reply = await send("GET", `/pet/findByTags?tags=${unusedName("none")}`)
          expectStatus(reply, 200)
          expectEqual(jsonOf(reply), [], "the list")
        },
      },
      {
        name: "accepts-an-image",
        expects: "POST /pet/{petId}/uploadImage is 200, and the pet has one photo more.",
        source: "ours",
        async examine(subject) {
          const { id } = await addPetFirst(subject)
          expectStatus(await subject.send("POST", `/pet/${id}/uploadImage`, { headers: binary, body: png }), 200)
          expectEqual((await readPet(subject, id)).photoUrls.length, 1, "the number of photos")
        },
      },
      {
        name: "unknown-pets-are-404",
        expects: "A pet that does not exist is 404 for GET, DELETE, PUT and the upload of an image.",
        source: "description",
        async examine({ send }) {
          const id = unusedId()
          expectStatus(await send("GET", `/pet/${id}`), 404)
          expectStatus(await send("DELETE", `/pet/${id}`), 404)
          expectStatus(await send("PUT", "/pet", { body: { id, name: "Rex", photoUrls: [] } }), 404)
          expectStatus(await send("POST", `/pet/${id}/uploadImage`, { headers: binary, body: png }), 404)
        },
      },
      {
        name: "refuses-what-is-no-id",
        expects: "A pet whose id is no number is 400.",
        source: "description",
        async examine({ send }) {
          expectStatus(await send("GET", "/pet/rex"), 400)
          expectStatus(await send("DELETE", "/pet/1.5"), 400)
        },
      },
      {
        name: "refuses-a-pet-without-name",
        expects: "POST and PUT of a pet without a name are 400 or 422, and nothing changes.",
        source: "description",
        async examine(subject) {
          const pet = await addPetFirst(subject)
          await refuses(subject, "POST", "/pet", newPet({ name: undefined }))
          await refuses(subject, "PUT", "/pet", { id: pet.id, photoUrls: ["p"] })
          expectEqual(await readPet(subject, pet.id), pet, "the pet")
        },
      },
      {
        name: "refuses-a-pet-without-photos",
        expects: "POST of a pet without photoUrls is 400 or 422.",
        source: "description",
        examine: (subject) => refuses(subject, "POST", "/pet", newPet({ photoUrls: undefined })),
      },
      {
        name: "refuses-an-unknown-status",
        expects: "A pet with another status than the three is 400 or 422, and a search for it 400.",
        source: "description",
        async examine(subject) {
          await refuses(subject, "POST", "/pet", newPet({ status: "lost" }))
          expectStatus(await subject.send("GET", "/pet/findByStatus?status=lost"), 400)
        },
      },
      {
        name: "adds-nothing-that-is-refused",
        expects: "A pet that is refused because of its status is not added.",
        source: "ours",
        async examine(subject) {
          const name = unusedName("Rex")
          const { status } = await subject.send("POST", "/pet", { body: newPet({ name, status: "lost" }) })
          claim(status >= 400 && status < 500, "it refuses no other status")
          const found = await subject.send("GET", "/pet/findByStatus?status=available")
          expectStatus(found, 200)
          const added = (jsonOf(found) as AnyPet[]).find((pet) => pet.name === name)
          if (added) await subject.send("DELETE", `/pet/${added.id}`)
          expect(added === undefined, `it was added with the id ${added?.id}`)
        },
      },
      {
        name: "refuses-malformed-json",
        expects: "A body that is not JSON is 400.",
        source: "description",
        async examine({ send }) {
          const headers = { "content-type": "application/json" }
          expectStatus(await send("POST", "/pet", { headers, body: '{"name":' }), 400)
          expectStatus(await send("PUT", "/pet", { headers, body: "name=Rex" }), 400)
        },
      },
    ]),
  ],
}
