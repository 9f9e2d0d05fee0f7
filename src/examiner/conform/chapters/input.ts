import { expect } from "../../verdict.ts"
import { afterAddingAPet, type Check, type ConformChapter } from "../check.ts"
import {
  addAnyPet,
  addPetFirst,
  claim,
  expectEqual,
  expectRefusal,
  expectStatus,
  jsonOf,
  newPet,
  readPet,
  unusedId,
} from "../subject.ts"

const json = { "content-type": "application/json" }

/** A pet with this text as its name is stored and read unchanged. */
const keeps = (name: string, source: Check["source"], what: string, text: string): Check => ({
  name,
  expects: `A name with ${what} is read as it was sent.`,
  source,
  async examine(subject) {
    const pet = await addAnyPet(subject, { name: text })
    expectEqual((await readPet(subject, pet.id)).name, text, "the name")
  },
})

/** Each of these bodies is refused, and none leads to a 5xx. */
const refuses = (name: string, source: Check["source"], what: string, bodies: readonly string[]): Check => ({
  name,
  expects: `${what} is refused, not a failure of the service.`,
  source,
  async examine({ send }) {
    for (const body of bodies) expectRefusal(await send("POST", "/pet", { headers: json, body }))
  },
})

const pet = (more: object): string => JSON.stringify(newPet(more))

export const input: ConformChapter = {
  name: "Input",
  tasks: afterAddingAPet([
    keeps("keeps-every-script", "RFC 8259 section 8.1", "letters of many scripts", "Łap Ünï كلب 犬 पशु"),
    keeps("keeps-emoji", "RFC 8259 section 8.1", "characters beyond 16 bits", "🐕‍🦺 Rex"),
    keeps("keeps-markup", "description", "markup and quotes", `<b>"R'ex"</b> & \\ '; DROP TABLE pets; --`),
    keeps("keeps-names-of-members", "description", "a name that JavaScript uses", "__proto__"),
    refuses("refuses-other-values", "description", "A body that is no object", ["null", "[]", '"Rex"', "42", ""]),
    refuses("refuses-wrong-types", "description", "A member of another type", [
      pet({ name: 1 }),
      pet({ name: ["Rex"] }),
      pet({ photoUrls: "p" }),
      pet({ photoUrls: [1] }),
      pet({ tags: {} }),
      pet({ category: "Dogs" }),
      pet({ id: String(unusedId()) }),
      pet({ id: unusedId() + 0.5 }),
    ]),
    refuses("refuses-blank-names", "ours", "A blank name", [pet({ name: "" }), pet({ name: "   " })]),
    refuses("refuses-nul", "ours", "A name with the character NUL", [pet({ name: "a\0b" })]),
    refuses("refuses-depth", "ours", "JSON with ten thousand levels", [`${"[".repeat(10_000)}${"]".repeat(10_000)}`]),
    refuses("refuses-half-characters", "ours", "A name with half a character", [
      pet({ name: "Rex" }).replace("Rex", "\\ud83d"),
    ]),
    {
      name: "refuses-bytes-that-are-no-text",
      expects: "A body that is not UTF-8 is refused, not a failure of the service.",
      source: "RFC 8259 section 8.1",
      async examine({ send }) {
        const body = Buffer.from(pet({ name: "\u00ff\u00fe" }), "latin1")
        expectRefusal(await send("POST", "/pet", { headers: json, body }))
      },
    },
    {
      name: "has-bounds",
      expects: "A name of a hundred thousand characters is refused, not a failure of the service.",
      source: "ours",
      async examine({ send }) {
        expectRefusal(await send("POST", "/pet", { body: newPet({ name: "x".repeat(100_000) }) }))
      },
    },
    {
      name: "survives-malformed-paths",
      expects: "A malformed path or query leads to a 4xx, never a 5xx.",
      source: "RFC 9110 section 15.5",
      async examine({ send }) {
        for (const path of ["/pet/%", "/pet/%ff", "/pet/%00", "/pet/findByStatus?status=%ff", "/user/%e0%a4%a"])
          expectRefusal(await send("GET", path))
      },
    },
    {
      name: "ignores-unknown-members",
      expects: "A member that the description does not have is ignored.",
      source: "ours",
      async examine({ send }) {
        const reply = await send("POST", "/pet", { body: newPet({ colour: "red" }) })
        expectStatus(reply, 200)
        expect(!("colour" in jsonOf(reply)), "the member was kept")
      },
    },
    {
      name: "null-is-omitted",
      expects: "An optional member that is null counts as omitted.",
      source: "ours",
      async examine(subject) {
        const id = unusedId()
        const omitting = await addPetFirst(subject)
        const withNull = await addAnyPet(subject, { category: null, tags: null, status: null })
        expectEqual({ ...withNull, id }, { ...omitting, id }, "the pet")
      },
    },
    {
      name: "keeps-one-of-equal-tags",
      expects: "A tag that is sent twice is kept once.",
      source: "ours",
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
      source: "ours",
      async examine({ send }) {
        expectRefusal(await send("POST", "/pet", { body: newPet({ photoUrls: ["javascript:alert(1)"] }) }))
      },
    },
    {
      name: "says-all-that-is-wrong",
      expects: "A refusal lists each violation with a pointer to it.",
      source: "ours",
      async examine({ send }) {
        const reply = await send("POST", "/pet", { body: newPet({ name: "", photoUrls: ["p", 1], status: "lost" }) })
        expectRefusal(reply)
        const { errors } = jsonOf(reply) as { errors?: { pointer?: string }[] }
        claim(Array.isArray(errors), "its refusals have no list of errors")
        expectEqual(errors?.map(({ pointer }) => pointer).sort(), ["/name", "/photoUrls/1", "/status"], "the pointers")
      },
    },
  ]),
}
