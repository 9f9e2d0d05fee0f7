import { expect } from "../../verdict.ts"
import { afterAddingAPet, type ConformChapter } from "../check.ts"
import { disclosedBy } from "../disclosures.ts"
import {
  addPetFirst,
  claim,
  expectEqual,
  expectStatus,
  jsonOf,
  newPet,
  type Reply,
  type Subject,
  unusedId,
} from "../subject.ts"
import { registerFirst } from "../users.ts"

/** A pet, an order, the inventory, a list and a user, each as it is read. */
async function readOneOfEach(subject: Subject): Promise<Reply[]> {
  const { send } = subject
  const { id } = await addPetFirst(subject)
  const order = await send("POST", "/store/order", { body: { id: unusedId(), petId: id } })
  claim(order.status === 200, "an order is refused")
  const username = await registerFirst(subject)
  const paths = [`/pet/${id}`, `/store/order/${jsonOf(order).id}`, "/store/inventory", `/user/${username}`]
  const replies: Reply[] = []
  for (const path of [...paths, "/pet/findByStatus?status=sold"]) replies.push(await send("GET", path))
  for (const reply of replies) claim(reply.status === 200, `${reply.request} is ${reply.status}`)
  return replies
}

export const protocol: ConformChapter = {
  name: "HTTP",
  tasks: afterAddingAPet([
    {
      name: "responds-to-head",
      expects: "HEAD has the status and the media type of GET, without a body.",
      source: "RFC 9110 section 9.3.2",
      async examine(subject) {
        const { id } = await addPetFirst(subject)
        const [get, head] = [await subject.send("GET", `/pet/${id}`), await subject.send("HEAD", `/pet/${id}`)]
        expectStatus(head, get.status)
        expectEqual(head.headers.get("content-type"), get.headers.get("content-type"), "the media type")
        expectEqual(head.text, "", "the body")
      },
    },
    {
      name: "says-which-methods",
      expects: "A method that a path does not have is 405 with Allow.",
      source: "RFC 9110 section 15.5.6",
      async examine({ send }) {
        const reply = await send("DELETE", "/store/inventory")
        expectStatus(reply, 405)
        expect(/\bGET\b/.test(reply.headers.get("allow") ?? ""), `Allow is ${reply.headers.get("allow")}`)
      },
    },
    {
      name: "unknown-paths-are-404",
      expects: "A path that does not exist is 404.",
      source: "RFC 9110 section 15.5.5",
      examine: async ({ send }) => expectStatus(await send("GET", "/no-such-path"), 404),
    },
    {
      name: "refuses-other-media-types",
      expects: "A body with a media type that the operation does not accept is 415.",
      source: "RFC 9110 section 15.5.16",
      async examine({ send }) {
        const headers = { "content-type": "text/csv" }
        expectStatus(await send("POST", "/pet", { headers, body: "name,Rex" }), 415)
      },
    },
    {
      name: "refuses-other-representations",
      expects: "A request that accepts only what the service does not have is 406.",
      source: "ours",
      async examine(subject) {
        const { id } = await addPetFirst(subject)
        expectStatus(await subject.send("GET", `/pet/${id}`, { headers: { accept: "image/png" } }), 406)
      },
    },
    {
      name: "challenges",
      expects: "A 401 has WWW-Authenticate.",
      source: "RFC 9110 section 15.5.2",
      async examine({ send }) {
        const reply = await send("GET", "/store/inventory", { key: "unknown" })
        claim(reply.status === 401, "it has no 401")
        expect(reply.headers.has("www-authenticate"), "WWW-Authenticate is missing")
      },
    },
    {
      name: "has-problem-documents",
      expects: "Refusals are application/problem+json with type, title, status and detail.",
      source: "ours",
      async examine({ send }) {
        const replies = [
          await send("GET", `/pet/${unusedId()}`),
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
      source: "ours",
      async examine({ send }) {
        const paths = [
          `/pet/${unusedId()}`,
          "/pet/rex",
          "/pet/findByStatus?status='",
          "/user/login?username='&password='",
        ]
        const replies = [
          await send("POST", "/pet", { body: [] }),
          await send("POST", "/pet", { body: newPet({ name: 1 }) }),
        ]
        for (const path of paths) replies.push(await send("GET", path))
        claim(
          replies.some(({ status }) => status >= 400),
          "it refuses nothing",
        )
        for (const { request, text } of replies) {
          const what = disclosedBy(text)
          expect(what === undefined, `${request} discloses ${what}: ${text}`)
        }
      },
    },
    {
      name: "accepts-a-trailing-slash",
      expects: "A path with a slash at its end is the same resource.",
      source: "ours",
      async examine(subject) {
        const { id } = await addPetFirst(subject)
        expectStatus(await subject.send("GET", `/pet/${id}/`), 200)
      },
    },
    {
      name: "says-that-it-is-json",
      expects: "Pets, orders, users, lists and the inventory are application/json.",
      source: "description",
      async examine(subject) {
        for (const { request, headers } of await readOneOfEach(subject)) {
          const type = headers.get("content-type")
          expect(type?.startsWith("application/json") === true, `${request} has ${type}`)
        }
      },
    },
    {
      name: "has-no-null",
      expects: "A member that a pet, an order or a user does not have is absent, not null.",
      source: "description",
      async examine(subject) {
        for (const reply of await readOneOfEach(subject)) {
          const absent = Object.entries(jsonOf(reply)).find(([, value]) => value === null)
          expect(absent === undefined, `${absent?.[0]} is null in the response to ${reply.request}`)
        }
      },
    },
    {
      name: "leads-to-what-was-made",
      expects: "Location of a 201 is the address of what was created.",
      source: "RFC 9110 section 15.3.2",
      async examine({ send }) {
        const webhook = { url: "http://127.0.0.1:9/", events: ["pet.created"] }
        const replies = [
          await send("POST", "/pet", { body: newPet() }),
          await send("POST", "/webhooks", { body: webhook }),
        ].filter(({ status, headers }) => status === 201 && headers.has("location"))
        claim(replies.length > 0, "no response to a creation has Location")
        for (const made of replies) {
          const location = made.headers.get("location") ?? ""
          const found = await send("GET", URL.parse(location, made.address)?.href ?? location)
          expectStatus(found, 200)
          expectEqual(jsonOf(found).id, jsonOf(made).id, "the id")
        }
      },
    },
    {
      name: "repeats-a-put",
      expects: "A PUT that is sent again has the same result.",
      source: "RFC 9110 section 9.2.2",
      async examine(subject) {
        const { id } = await addPetFirst(subject)
        const put = () => subject.send("PUT", "/pet", { body: { id, name: "Max", photoUrls: [] } })
        const first = await put()
        claim(first.status === 200 && jsonOf(first).name === "Max", "a pet cannot be replaced")
        const again = await put()
        expectStatus(again, 200)
        expectEqual(jsonOf(again), jsonOf(first), "the pet")
      },
    },
  ]),
}
