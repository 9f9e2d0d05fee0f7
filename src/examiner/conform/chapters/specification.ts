import { expect } from "../../verdict.ts"
import type { ConformChapter } from "../check.ts"
import { openReceiver } from "../receiver.ts"
import {
  type AnyPet,
  addAnyPet,
  claim,
  expectEqual,
  expectStatus,
  jsonOf,
  newPet,
  readPet,
  type Subject,
  unusedName,
} from "../subject.ts"

/** A picture of one pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
)

/** A pet that is sent without an id. */
const withoutId = { id: undefined }

/** The request is 400 or 422. */
async function refuses({ send }: Subject, method: string, path: string, body?: object): Promise<void> {
  expectStatus(await send(method, path, { ...(body && { body }) }), 400, 422)
}

/** The interface specification of the pet store: pets, credentials, limits, the event, errors. */
export const specification: ConformChapter = {
  name: "Specification",
  tasks: [
    {
      name: "creates-a-pet",
      expects: "POST /pet is 200 with the pet, its id, and those of its category and tags.",
      async examine(subject) {
        const body = { name: "Rex", photoUrls: [], category: { name: "Dogs" }, tags: [{ name: "calm" }] }
        const reply = await subject.send("POST", "/pet", { body })
        expectStatus(reply, 200)
        const pet = jsonOf(reply) as AnyPet
        expect(Number.isSafeInteger(pet.id) && pet.id > 0, `the id is ${pet.id}`)
        const [tag] = pet.tags ?? []
        expect(pet.category?.name === "Dogs" && tag?.name === "calm", `the pet is ${JSON.stringify(pet)}`)
        expect(Number.isInteger(pet.category.id) && Number.isInteger(tag.id), `the pet is ${JSON.stringify(pet)}`)
      },
    },
    {
      name: "gives-each-pet-an-id",
      expects: "Pets that are added without an id have different ones.",
      async examine(subject) {
        const ids = [await addAnyPet(subject, withoutId), await addAnyPet(subject, withoutId)].map(({ id }) => id)
        expect(ids[0] !== ids[1], `two pets have the id ${ids[0]}`)
      },
    },
    {
      name: "reads-a-pet",
      expects: "GET /pet/{petId} is 200 with the pet that was created.",
      async examine(subject) {
        const pet = await addAnyPet(subject, {
          category: { name: "Dogs" },
          tags: [{ name: "calm" }],
          status: "pending",
        })
        expectEqual(await readPet(subject, pet.id), pet, "the pet")
      },
    },
    {
      name: "replaces-a-pet",
      expects: "PUT /pet is 200 with the pet, which is replaced.",
      async examine(subject) {
        const { id } = await addAnyPet(subject)
        const reply = await subject.send("PUT", "/pet", { body: { id, name: "Max", photoUrls: ["p"], status: "sold" } })
        expectStatus(reply, 200)
        const { name, photoUrls, status } = await readPet(subject, id)
        expectEqual({ name, photoUrls, status }, { name: "Max", photoUrls: ["p"], status: "sold" }, "the pet")
      },
    },
    {
      name: "deletes-a-pet",
      expects: "DELETE /pet/{petId} is 200, and the pet 404 from then on.",
      async examine(subject) {
        const { id } = await addAnyPet(subject)
        expectStatus(await subject.send("DELETE", `/pet/${id}`), 200)
        expectStatus(await subject.send("GET", `/pet/${id}`), 404)
      },
    },
    {
      name: "finds-by-status",
      expects: "GET /pet/findByStatus has the pets with that status, and no others.",
      async examine(subject) {
        const { id } = await addAnyPet(subject, { status: "sold" })
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
      async examine(subject) {
        const names = [unusedName("a"), unusedName("b")]
        const ids = []
        for (const name of names) ids.push((await addAnyPet(subject, { tags: [{ name }] })).id)
        await addAnyPet(subject, { tags: [{ name: unusedName("c") }] })
        const reply = await subject.send("GET", `/pet/findByTags?tags=${names[0]}&tags=${names[1]}`)
        expectStatus(reply, 200)
        expectEqual((jsonOf(reply) as { id: number }[]).map(({ id }) => id).sort(), ids.sort(), "the ids")
      },
    },
    {
      name: "accepts-an-image",
      expects: "POST /pet/{petId}/uploadImage is 200, and the pet has one photo more.",
      async examine(subject) {
        const { id } = await addAnyPet(subject)
        const headers = { "content-type": "application/octet-stream" }
        expectStatus(await subject.send("POST", `/pet/${id}/uploadImage`, { headers, body: png }), 200)
        expectEqual((await readPet(subject, id)).photoUrls.length, 1, "the number of photos")
      },
    },
    {
      name: "unknown-pets-are-404",
      expects: "A pet that does not exist is 404 for GET, DELETE, PUT and the upload of an image.",
      async examine({ send }) {
        const headers = { "content-type": "application/octet-stream" }
        expectStatus(await send("GET", "/pet/987654321"), 404)
        expectStatus(await send("DELETE", "/pet/987654321"), 404)
        expectStatus(await send("PUT", "/pet", { body: { id: 987_654_321, name: "Rex", photoUrls: [] } }), 404)
        expectStatus(await send("POST", "/pet/987654321/uploadImage", { headers, body: png }), 404)
      },
    },
    {
      name: "refuses-what-is-no-id",
      expects: "A pet whose id is no number is 400.",
      async examine({ send }) {
        expectStatus(await send("GET", "/pet/rex"), 400)
        expectStatus(await send("DELETE", "/pet/1.5"), 400)
      },
    },
    {
      name: "refuses-a-pet-without-name",
      expects: "POST and PUT of a pet without a name are 400 or 422, and nothing changes.",
      async examine(subject) {
        await refuses(subject, "POST", "/pet", newPet({ name: undefined }))
        const pet = await addAnyPet(subject)
        await refuses(subject, "PUT", "/pet", { id: pet.id, photoUrls: ["p"] })
        expectEqual(await readPet(subject, pet.id), pet, "the pet")
      },
    },
    {
      name: "refuses-a-pet-without-photos",
      expects: "POST of a pet without photoUrls is 400 or 422.",
      examine: (subject) => refuses(subject, "POST", "/pet", newPet({ photoUrls: undefined })),
    },
    {
      name: "refuses-an-unknown-status",
      expects: "A pet with another status than the three is 400 or 422, and a search for it 400.",
      async examine(subject) {
        await refuses(subject, "POST", "/pet", newPet({ status: "lost" }))
        expectStatus(await subject.send("GET", "/pet/findByStatus?status=lost"), 400)
      },
    },
    {
      name: "refuses-malformed-json",
      expects: "A body that is not JSON is 400.",
      async examine({ send }) {
        const headers = { "content-type": "application/json" }
        expectStatus(await send("POST", "/pet", { headers, body: '{"name":' }), 400)
        expectStatus(await send("PUT", "/pet", { headers, body: "name=Rex" }), 400)
      },
    },
    {
      name: "needs-a-credential",
      expects: "A request without a credential, or with an unknown one, is 401.",
      async examine({ send }) {
        for (const key of [undefined, "", "unknown"]) {
          expectStatus(await send("GET", "/pet/1", { key }), 401)
          expectStatus(await send("POST", "/pet", { key, body: { name: "Rex", photoUrls: [] } }), 401)
        }
        const headers = { authorization: "Bearer unknown" }
        expectStatus(await send("GET", "/pet/1", { key: undefined, headers }), 401)
      },
    },
    {
      name: "limits-requests",
      expects: "With the limited key, the sixty-first request of a minute is 429 with Retry-After.",
      async examine({ send, limitedKey }) {
        const first = await send("GET", "/pet/1", { key: limitedKey })
        claim(first.status !== 401, "the limited key is unknown")
        for (let n = 1; n <= 60; n++) {
          const reply = await send("GET", "/pet/1", { key: limitedKey })
          if (reply.status !== 429) continue
          const seconds = reply.headers.get("retry-after")
          expect(/^\d+$/.test(seconds ?? ""), `Retry-After is ${seconds}`)
          return
        }
        expect(false, "61 requests were admitted")
      },
    },
    {
      name: "sends-an-event",
      expects: "POST /pet sends pet.created to a webhook: event, data with id, name and status, and timestamp.",
      async examine(subject) {
        await using receiver = await openReceiver()
        const body = { url: receiver.url, events: ["pet.created"] }
        const created = await subject.send("POST", "/webhooks", { body })
        claim(![404, 405, 501].includes(created.status), "it has no webhooks")
        expectStatus(created, 200, 201)
        const name = unusedName("Rex")
        const { id } = await addAnyPet(subject, { name })
        const { body: message } = await receiver.message((text) => text.includes(name))
        await subject.send("DELETE", `/webhooks/${jsonOf(created).id}`)
        const { event, data, timestamp, ...more } = JSON.parse(message)
        expectEqual(
          { event, data, more },
          { event: "pet.created", data: { id, name, status: "available" }, more: {} },
          "the event",
        )
        expect(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(timestamp), `timestamp is ${timestamp}`)
      },
    },
  ],
}
