import type { ConformChapter } from "../check.ts"
import {
  type AnyPet,
  addPetFirst,
  claim,
  expectEqual,
  expectRefusal,
  expectStatus,
  jsonOf,
  type Reply,
  readPet,
  type Subject,
} from "../subject.ts"

/** The pet with its ETag, where the service has them. */
async function tagged(subject: Subject): Promise<{ id: number; etag: string }> {
  const { id } = await addPetFirst(subject)
  const etag = (await subject.send("GET", `/pet/${id}`)).headers.get("etag")
  claim(etag !== null, "a pet has no ETag")
  return { id, etag: etag as string }
}

const rename = (id: number, name: string) => ({ id, name, photoUrls: [] })

export const versions: ConformChapter = {
  name: "Versions",
  tasks: [
    {
      name: "saves-a-body",
      expects: "GET with If-None-Match of the version is 304 without a body, and 200 after a change.",
      source: "RFC 9110 section 13.1.2",
      async examine(subject) {
        const { id, etag } = await tagged(subject)
        const headers = { "if-none-match": `"other", ${etag}` }
        const same = await subject.send("GET", `/pet/${id}`, { headers })
        expectStatus(same, 304)
        expectEqual(same.text, "", "the body")
        expectStatus(await subject.send("PUT", "/pet", { body: rename(id, "Max") }), 200)
        expectStatus(await subject.send("GET", `/pet/${id}`, { headers }), 200)
      },
    },
    {
      name: "keeps-the-later-change",
      expects: "PUT and DELETE with If-Match of an earlier version are 412, and change nothing.",
      source: "RFC 9110 section 13.1.1",
      async examine(subject) {
        const { id, etag } = await tagged(subject)
        const headers = { "if-match": etag }
        expectStatus(await subject.send("PUT", "/pet", { headers, body: rename(id, "Max") }), 200)
        expectStatus(await subject.send("PUT", "/pet", { headers, body: rename(id, "Bo") }), 412)
        expectStatus(await subject.send("DELETE", `/pet/${id}`, { headers }), 412)
        expectEqual((await readPet(subject, id)).name, "Max", "the name")
      },
    },
    {
      name: "one-of-concurrent-changes",
      expects: "Of ten changes of one version at once, one succeeds.",
      source: "RFC 9110 section 13.1.1",
      async examine(subject) {
        const { id, etag } = await tagged(subject)
        const change = (n: number) =>
          subject.send("PUT", "/pet", { headers: { "if-match": etag }, body: rename(id, `Rex ${n}`) })
        const statuses = (await Promise.all(Array.from({ length: 10 }, (_, n) => change(n)))).map(
          ({ status }) => status,
        )
        expectEqual(statuses.sort(), [200, ...Array(9).fill(412)], "the statuses")
      },
    },
  ],
}

/** A pet that was patched; claimed when the service knows PATCH. */
async function patchPet(subject: Subject, patch: object, more?: object): Promise<{ pet: AnyPet; reply: Reply }> {
  const pet = await addPetFirst(subject, more)
  const headers = { "content-type": "application/merge-patch+json" }
  const reply = await subject.send("PATCH", `/pet/${pet.id}`, { headers, body: patch })
  claim(![404, 405, 415, 501].includes(reply.status), "it does not know PATCH")
  return { pet, reply }
}

export const patches: ConformChapter = {
  name: "Patches",
  tasks: [
    {
      name: "changes-what-it-names",
      expects: "PATCH of a pet changes what it names, and nothing else.",
      source: "RFC 7396 section 2",
      async examine(subject) {
        const { pet, reply } = await patchPet(subject, { name: "Max" }, { tags: [{ name: "calm" }], status: "sold" })
        expectStatus(reply, 200)
        expectEqual(await readPet(subject, pet.id), { ...pet, name: "Max" }, "the pet")
      },
    },
    {
      name: "changes-all-or-nothing",
      expects: "A PATCH that is refused because of one member changes no other.",
      source: "RFC 5789 section 2",
      async examine(subject) {
        const { pet, reply } = await patchPet(subject, { name: "Max", status: "lost" })
        expectRefusal(reply)
        expectEqual(await readPet(subject, pet.id), pet, "the pet")
      },
    },
  ],
}

/** Without an id, because that of the response says whether a pet was added. */
const post = ({ send }: Subject, key: string, name: string) =>
  send("POST", "/pet", { headers: { "idempotency-key": key }, body: { name, photoUrls: [] } })

/** A key with which a pet was added; claimed when the same request adds no other one, and one with another key does. */
async function claimKeys(subject: Subject): Promise<string> {
  const [key, other] = [crypto.randomUUID(), crypto.randomUUID()]
  const ids: unknown[] = []
  for (const one of [key, key, other]) {
    const reply = await post(subject, one, "Rex")
    claim(reply.status === 200, "it does not give ids")
    ids.push(jsonOf(reply).id)
  }
  claim(ids[0] === ids[1] && ids[1] !== ids[2], "it does not know Idempotency-Key")
  return key
}

export const repetition: ConformChapter = {
  name: "Idempotency-Key",
  tasks: [
    {
      name: "repeats-the-response",
      expects: "A creation that is repeated with its key has the same response, and adds nothing.",
      source: "ours",
      async examine(subject) {
        const key = await claimKeys(subject)
        expectEqual((await post(subject, key, "Rex")).text, (await post(subject, key, "Rex")).text, "the response")
      },
    },
    {
      name: "refuses-another-body",
      expects: "Another body with the same key is refused.",
      source: "ours",
      async examine(subject) {
        expectRefusal(await post(subject, await claimKeys(subject), "Max"))
      },
    },
    {
      name: "adds-one-of-concurrent",
      expects: "Ten creations at once with one key add one pet.",
      source: "ours",
      async examine(subject) {
        await claimKeys(subject)
        const key = crypto.randomUUID()
        const replies = await Promise.all(Array.from({ length: 10 }, () => post(subject, key, "Rex")))
        for (const reply of replies) expectStatus(reply, 200, 409)
        const done = replies.filter(({ status }) => status === 200).map((reply) => jsonOf(reply).id)
        expectEqual(new Set(done).size, 1, "the number of pets")
      },
    },
    {
      name: "remembers-no-refusal",
      expects: "A refused creation can be corrected under its key.",
      source: "ours",
      async examine(subject) {
        await claimKeys(subject)
        const key = crypto.randomUUID()
        expectRefusal(await post(subject, key, ""))
        expectStatus(await post(subject, key, "Rex"), 200)
      },
    },
  ],
}
