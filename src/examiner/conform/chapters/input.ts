import { expect } from "../../verdict.ts"
import type { Check, ConformChapter } from "../check.ts"
import { addAnyPet, claim, expectEqual, expectRefusal, expectStatus, jsonOf, newPet, readPet } from "../subject.ts"

const idMax = Number.MAX_SAFE_INTEGER
const json = { "content-type": "application/json" }

/** Ids. */
export const ids: ConformChapter = {
  name: "Ids",
  tasks: [
    {
      name: "keeps-the-id-of-a-client",
      expects: "A pet that is added with an unused id has it.",
      async examine(subject) {
        const id = 1_000_000 + Math.floor(Math.random() * 1e9)
        expectEqual((await addAnyPet(subject, { id })).id, id, "the id")
        await readPet(subject, id)
      },
    },
    {
      name: "zero-is-no-id",
      expects: "A pet that is added with the id 0 has another one.",
      async examine(subject) {
        const { id } = await addAnyPet(subject, { id: 0 })
        expect(id > 0, `the id is ${id}`)
      },
    },
    {
      name: "never-rounds",
      expects: "An id beyond 53 bits is kept exactly or refused.",
      async examine({ send }) {
        const reply = await send("POST", "/pet", {
          headers: json,
          body: '{"id":9007199254740993,"name":"Rex","photoUrls":[]}',
        })
        if (reply.status === 200) expect(/"id": *9007199254740993\b/.test(reply.text), `the response is ${reply.text}`)
        else expectRefusal(reply)
      },
    },
    {
      name: "keeps-the-largest-id",
      expects: `The id ${idMax} is kept exactly.`,
      async examine(subject) {
        await subject.send("DELETE", `/pet/${idMax}`)
        expectEqual((await addAnyPet(subject, { id: idMax })).id, idMax, "the id")
        expectStatus(await subject.send("DELETE", `/pet/${idMax}`), 200)
      },
    },
    {
      name: "overwrites-nothing",
      expects: "A pet that is added with the id of another is refused, and the other remains.",
      async examine(subject) {
        const pet = await addAnyPet(subject)
        expectRefusal(await subject.send("POST", "/pet", { body: { id: pet.id, name: "Max", photoUrls: [] } }))
        expectEqual(await readPet(subject, pet.id), pet, "the pet")
      },
    },
    {
      name: "zero-and-less-are-404",
      expects: "An integer that is the id of no pet is 404, also 0 and -1.",
      async examine({ send }) {
        for (const id of ["0", "-1", String(idMax)]) expectStatus(await send("GET", `/pet/${id}`), 404)
      },
    },
    {
      name: "beyond-64-bits-is-400",
      expects: "An id beyond 64 bits is 400.",
      examine: async ({ send }) => expectStatus(await send("GET", "/pet/99999999999999999999"), 400),
    },
    {
      name: "concurrent-ids-differ",
      expects: "Twenty pets that are added at once have twenty ids.",
      async examine(subject) {
        const pets = await Promise.all(Array.from({ length: 20 }, () => addAnyPet(subject, { id: undefined })))
        expectEqual(new Set(pets.map(({ id }) => id)).size, 20, "the number of ids")
      },
    },
  ],
}

/** A pet with this text as its name is stored and read unchanged. */
const keeps = (name: string, what: string, text: string): Check => ({
  name,
  expects: `A name with ${what} is read as it was sent.`,
  async examine(subject) {
    const pet = await addAnyPet(subject, { name: text })
    expectEqual((await readPet(subject, pet.id)).name, text, "the name")
  },
})

/** Each of these bodies is refused, and none leads to a 5xx. */
const refuses = (name: string, what: string, bodies: readonly string[]): Check => ({
  name,
  expects: `${what} is refused, not a failure of the service.`,
  async examine({ send }) {
    for (const body of bodies) expectRefusal(await send("POST", "/pet", { headers: json, body }))
  },
})

const pet = (more: object): string => JSON.stringify(newPet(more))

export const input: ConformChapter = {
  name: "Input",
  tasks: [
    keeps("keeps-every-script", "letters of many scripts", "Łap Ünï كلب 犬 पशु"),
    keeps("keeps-emoji", "characters beyond 16 bits", "🐕‍🦺 Rex"),
    keeps("keeps-markup", "markup and quotes", `<b>"R'ex"</b> & \\ '; DROP TABLE pets; --`),
    keeps("keeps-names-of-members", "a name that JavaScript uses", "__proto__"),
    refuses("refuses-other-values", "A body that is no object", ["null", "[]", '"Rex"', "42", ""]),
    refuses("refuses-wrong-types", "A member of another type", [
      pet({ name: 1 }),
      pet({ name: ["Rex"] }),
      pet({ photoUrls: "p" }),
      pet({ photoUrls: [1] }),
      pet({ tags: {} }),
      pet({ category: "Dogs" }),
      pet({ id: "1" }),
      pet({ id: 1.5 }),
    ]),
    refuses("refuses-blank-names", "A blank name", [pet({ name: "" }), pet({ name: "   " })]),
    refuses("refuses-nul", "A name with the character NUL", [pet({ name: "a\0b" })]),
    refuses("refuses-depth", "JSON with ten thousand levels", [`${"[".repeat(10_000)}${"]".repeat(10_000)}`]),
    refuses("refuses-half-characters", "A name with half a character", ['{"name":"\\ud83d","photoUrls":[]}']),
    {
      name: "refuses-bytes-that-are-no-text",
      expects: "A body that is not UTF-8 is refused, not a failure of the service.",
      async examine({ send }) {
        const body = Buffer.concat([
          Buffer.from('{"name":"'),
          Buffer.from([0xff, 0xfe]),
          Buffer.from('","photoUrls":[]}'),
        ])
        expectRefusal(await send("POST", "/pet", { headers: json, body }))
      },
    },
    {
      name: "has-bounds",
      expects: "A name of a hundred thousand characters is refused, not a failure of the service.",
      async examine({ send }) {
        expectRefusal(await send("POST", "/pet", { body: newPet({ name: "x".repeat(100_000) }) }))
      },
    },
    {
      name: "survives-malformed-paths",
      expects: "A malformed path or query leads to a 4xx, never a 5xx.",
      async examine({ send }) {
        for (const path of ["/pet/%", "/pet/%ff", "/pet/%00", "/pet/findByStatus?status=%ff", "/user/%e0%a4%a"])
          expectRefusal(await send("GET", path))
      },
    },
    {
      name: "ignores-unknown-members",
      expects: "A member that the description does not have is ignored.",
      async examine({ send }) {
        const reply = await send("POST", "/pet", { body: newPet({ colour: "red" }) })
        expectStatus(reply, 200)
        expect(!("colour" in jsonOf(reply)), "the member was kept")
      },
    },
    {
      name: "null-is-omitted",
      expects: "An optional member that is null counts as omitted.",
      async examine(subject) {
        const { status } = await addAnyPet(subject, { category: null, tags: null, status: null })
        expectEqual(status, "available", "the status")
      },
    },
    {
      name: "keeps-one-of-equal-tags",
      expects: "A tag that is sent twice is kept once.",
      async examine(subject) {
        const { tags } = await addAnyPet(subject, { tags: [{ name: "a" }, { name: "b" }, { name: "a" }] })
        expectEqual(
          tags?.map(({ name }) => name),
          ["a", "b"],
          "the tags",
        )
      },
    },
    {
      name: "refuses-scripts-as-photos",
      expects: "A photo whose address is a script is refused.",
      async examine({ send }) {
        expectRefusal(await send("POST", "/pet", { body: newPet({ photoUrls: ["javascript:alert(1)"] }) }))
      },
    },
    {
      name: "says-all-that-is-wrong",
      expects: "A refusal lists each violation with a pointer to it.",
      async examine({ send }) {
        const reply = await send("POST", "/pet", { body: newPet({ name: "", photoUrls: ["p", 1], status: "lost" }) })
        expectRefusal(reply)
        const { errors } = jsonOf(reply) as { errors?: { pointer?: string }[] }
        claim(Array.isArray(errors), "its refusals have no list of errors")
        expectEqual(errors?.map(({ pointer }) => pointer).sort(), ["/name", "/photoUrls/1", "/status"], "the pointers")
      },
    },
  ],
}
