import { expect } from "../../verdict.ts"
import type { ConformChapter } from "../check.ts"
import {
  addAnyPet,
  addPetFirst,
  claim,
  expectEqual,
  expectRefusal,
  expectStatus,
  jsonOf,
  readPet,
  type Subject,
} from "../subject.ts"

export const protocol: ConformChapter = {
  name: "HTTP",
  tasks: [
    {
      name: "responds-to-head",
      expects: "HEAD has the status and the media type of GET, without a body.",
      async examine(subject) {
        const { id } = await addAnyPet(subject)
        const [get, head] = [await subject.send("GET", `/pet/${id}`), await subject.send("HEAD", `/pet/${id}`)]
        expectStatus(head, get.status)
        expectEqual(head.headers.get("content-type"), get.headers.get("content-type"), "the media type")
        expectEqual(head.text, "", "the body")
      },
    },
    {
      name: "says-which-methods",
      expects: "A method that a path does not have is 405 with Allow.",
      async examine({ send }) {
        const reply = await send("DELETE", "/store/inventory")
        expectStatus(reply, 405)
        expect(/\bGET\b/.test(reply.headers.get("allow") ?? ""), `Allow is ${reply.headers.get("allow")}`)
      },
    },
    {
      name: "unknown-paths-are-404",
      expects: "A path that does not exist is 404.",
      examine: async ({ send }) => expectStatus(await send("GET", "/no-such-path"), 404),
    },
    {
      name: "refuses-other-media-types",
      expects: "A body with a media type that the operation does not accept is 415.",
      async examine({ send }) {
        const headers = { "content-type": "text/csv" }
        expectStatus(await send("POST", "/pet", { headers, body: "name,Rex" }), 415)
      },
    },
    {
      name: "refuses-other-representations",
      expects: "A request that accepts only what the service does not have is 406.",
      async examine(subject) {
        const { id } = await addAnyPet(subject)
        expectStatus(await subject.send("GET", `/pet/${id}`, { headers: { accept: "image/png" } }), 406)
      },
    },
    {
      name: "challenges",
      expects: "A 401 has WWW-Authenticate.",
      async examine({ send }) {
        const reply = await send("GET", "/pet/1", { key: "unknown" })
        expectStatus(reply, 401)
        expect(reply.headers.has("www-authenticate"), "WWW-Authenticate is missing")
      },
    },
    {
      name: "has-problem-documents",
      expects: "Refusals are application/problem+json with type, title, status and detail.",
      async examine({ send }) {
        const replies = [
          await send("GET", "/pet/987654321"),
          await send("GET", "/pet/rex"),
          await send("GET", "/pet/1", { key: "unknown" }),
          await send("POST", "/pet", { body: {} }),
          await send("GET", "/no-such-path"),
        ]
        const types = replies.map(({ headers }) => headers.get("content-type"))
        const isProblem = (type: string | null) => type?.startsWith("application/problem+json") === true
        claim(types.some(isProblem), "its refusals are no problem documents")
        for (const reply of replies) {
          expect(
            isProblem(reply.headers.get("content-type")),
            `${reply.request} has ${reply.headers.get("content-type")}`,
          )
          const { type, title, status, detail } = jsonOf(reply)
          expectEqual(status, reply.status, `the status in the response to ${reply.request}`)
          expect(
            [type, title, detail].every((text) => typeof text === "string"),
            `the problem is ${reply.text}`,
          )
        }
      },
    },
    {
      name: "discloses-nothing",
      expects: "A refusal contains no stack trace and no statement of a database.",
      async examine({ send }) {
        for (const path of [
          "/pet/987654321",
          "/pet/rex",
          "/pet/findByStatus?status='",
          "/user/login?username='&password='",
        ]) {
          const { text } = await send("GET", path)
          expect(
            !/\bat [\w.$]+\(|\.java:\d+|Exception\b|Traceback|\bSELECT\b.*\bFROM\b/.test(text),
            `the body is ${text}`,
          )
        }
      },
    },
    {
      name: "accepts-a-trailing-slash",
      expects: "A path with a slash at its end is the same resource.",
      async examine(subject) {
        const { id } = await addAnyPet(subject)
        expectStatus(await subject.send("GET", `/pet/${id}/`), 200)
      },
    },
  ],
}

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

const post = ({ send }: Subject, key: string, name: string) =>
  send("POST", "/pet", { headers: { "idempotency-key": key }, body: { name, photoUrls: [] } })

/** A key with which a pet was added; claimed when the same request does not add another one. */
async function claimKeys(subject: Subject): Promise<string> {
  const key = crypto.randomUUID()
  const [first, second] = [await post(subject, key, "Rex"), await post(subject, key, "Rex")]
  claim(first.status === 200, "it does not give ids")
  claim(jsonOf(first).id === jsonOf(second).id, "it does not know Idempotency-Key")
  return key
}

export const repetition: ConformChapter = {
  name: "Idempotency-Key",
  tasks: [
    {
      name: "repeats-the-response",
      expects: "A creation that is repeated with its key has the same response, and adds nothing.",
      async examine(subject) {
        const key = await claimKeys(subject)
        expectEqual((await post(subject, key, "Rex")).text, (await post(subject, key, "Rex")).text, "the response")
      },
    },
    {
      name: "refuses-another-body",
      expects: "Another body with the same key is refused.",
      async examine(subject) {
        expectRefusal(await post(subject, await claimKeys(subject), "Max"))
      },
    },
    {
      name: "adds-one-of-concurrent",
      expects: "Ten creations at once with one key add one pet.",
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
      async examine(subject) {
        await claimKeys(subject)
        const key = crypto.randomUUID()
        expectRefusal(await post(subject, key, ""))
        expectStatus(await post(subject, key, "Rex"), 200)
      },
    },
  ],
}
