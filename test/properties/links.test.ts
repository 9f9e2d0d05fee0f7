import assert from "node:assert/strict"
import { describe, test } from "node:test"
import fc from "fast-check"
import { api } from "../../src/core/domain/api.ts"
import { PetStatus } from "../../src/core/domain/pets/contract.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { basePath, filledPath } from "../../src/core/kernel/network/path.ts"
import { isVisible } from "../../src/core/kernel/visible.ts"
import { nameKey } from "../../src/core/sql/pets/name-key.ts"
import { anyText } from "../harness/arbitraries.ts"
import { useSampleApplication } from "../harness/oauth.ts"
import { exampleOf } from "../harness/operations.ts"
import { person } from "../harness/person.ts"
import { asker } from "../harness/send.ts"
import { before, usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const key = { api_key: "special-key" }
const application = useSampleApplication(petstore)

const readable = (max: number) =>
  anyText(max).filter((text) => isVisible(text) && !text.includes("\0") && [...text].length <= max)
/** Without commas, which separate the values of a query parameter. */
const label = readable(20).filter((text) => !text.includes(","))
/** Names whose cursors contain + and / in standard base64, and the longest ones. */
const awkward = [
  "tom & <jerry>",
  "?>?>?>",
  "~~~",
  '","',
  "#+%2B&",
  ...["ÿ", "İ", "\u{10ffff}"].map((one) => one.repeat(255)),
]

type CreatedPet = { id: number; name: string; category: string; tag: string; status: PetStatus }
let pets: CreatedPet[] = []

const ask = asker(petstore, basePath)

async function post(path: string, body?: object): Promise<Response> {
  const response = await ask(path, { method: "POST", ...(body && { body: JSON.stringify(body) }) })
  assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`)
  return response
}

async function addPets(): Promise<void> {
  const names = [...awkward, ...awkward, ...fc.sample(readable(60), 25)]
  const labels = fc.sample(label, 6)
  pets = await Promise.all(
    names.map(async (name, n) => {
      const [category, tag] = [labels[n % 3] as string, labels[3 + (n % 3)] as string]
      const status = PetStatus.enum[n % PetStatus.enum.length] as PetStatus
      const draft = { name, photoUrls: [], category: { name: category }, tags: [{ name: tag }], status }
      return { ...((await (await post("/pet", draft)).json()) as { id: number }), name, category, tag, status }
    }),
  )
}

/** The ids of a list from its first to its last page, following every `Link` unchanged. */
async function follow(path: string, query: Record<string, string>, headers: Record<string, string> = key) {
  const ids: number[] = []
  let next: string | undefined = `${petstore.url}${basePath}${path}?${new URLSearchParams(query)}`
  while (next !== undefined) {
    const response: Response = await fetch(next, { headers })
    const text = await response.text()
    assert.equal(response.status, 200, `${next}: ${text}`)
    ids.push(...(JSON.parse(text) as { id: number }[]).map(({ id }) => id))
    assert.ok(ids.length < 5000, `the list at ${next} does not end`)
    const link: string | null = response.headers.get("link")
    next = link === null ? undefined : /^<([\w\-.~:/?[\]@!$&'()*+,;=%]+)>; rel="next"$/.exec(link)?.[1]
    if (link !== null) assert.ok(next, link)
  }
  return ids
}

const ascending = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

describe("following Link through a list of pets returns each pet exactly once, regardless of the characters in its name (slow):", () => {
  before(addPets)
  const limit = fc.constantFrom("1", "2", "7")
  const statuses = fc.subarray([...PetStatus.enum], { minLength: 1 })
  const isAmong = (allowed: readonly string[]) => (pet: CreatedPet) => allowed.includes(pet.status)
  /** Asserts that a list contains exactly the pets of this test that `isExpected` accepts. */
  const list = async (path: string, query: Record<string, string>, isExpected: (pet: CreatedPet) => boolean) => {
    const ours = new Set(pets.map(({ id }) => id))
    const ids = (await follow(path, query)).filter((id) => ours.has(id))
    assert.deepEqual(ascending(ids), ascending(pets.filter(isExpected).map(({ id }) => id)), JSON.stringify(query))
  }
  const numRuns = 15

  test("GET /pet in each order (slow)", async () => {
    const sort = fc.constantFrom("id", "-id", "name", "-name")
    await fc.assert(
      fc.asyncProperty(sort, limit, statuses, (sort, limit, status) =>
        list("/pet", { sort, limit, status: status.join() }, isAmong(status)),
      ),
      {
        numRuns,
        examples: [
          ["name", "1", [...PetStatus.enum]],
          ["-name", "1", [...PetStatus.enum]],
        ],
      },
    )
  })

  test("GET /pet by a complete name", async () => {
    const nth = fc.nat()
    await fc.assert(
      fc.asyncProperty(nth, fc.constantFrom("name", "-name"), async (nth, sort) => {
        const { name } = pets[nth % pets.length] as CreatedPet
        const prefix = nameKey(name)
        await list("/pet", { name, sort, limit: "1" }, (pet) => nameKey(pet.name).startsWith(prefix))
      }),
      { numRuns, examples: awkward.map((_, n) => [n, "name"] as [number, string]) },
    )
  })

  test("GET /pet by category and by tag, findByStatus and findByTags (slow)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), limit, statuses, async (nth, limit, status) => {
        const { category, tag } = pets[nth % pets.length] as CreatedPet
        await list("/pet", { category, limit, sort: "id" }, (pet) => pet.category === category)
        await list("/pet", { tag, limit, status: status.join() }, (pet) => pet.tag === tag && isAmong(status)(pet))
        await list("/pet/findByTags", { tags: tag, limit }, (pet) => pet.tag === tag)
        await list("/pet/findByStatus", { status: status.join(), limit }, isAmong(status))
      }),
      { numRuns: 6 },
    )
  })
})

describe("following Link through every other list returns each item exactly once (slow):", () => {
  const texts = fc.sample(readable(30), 5)
  const session = { authorization: "" }
  let webhookId = 0

  before(async () => {
    const logIn = await post("/user/login", { username: "user1", password: "password1" })
    session.authorization = `Bearer ${await logIn.json()}`
    for (const name of texts) {
      const pet = (await (await post("/pet", { name, photoUrls: [], tags: [{ name: "linked" }] })).json()) as {
        id: number
      }
      await post("/store/order", { petId: pet.id })
      await post("/user", { username: `links${pet.id}`, firstName: name, password: "password" })
      const creators = { Account: api.createAccount, Key: api.createKey, Client: api.createOAuthClient }
      for (const { path, body } of Object.values(creators)) await post(path, { ...(exampleOf(body) as object), name })
      const webhook = await post("/webhooks", { url: `http://127.0.0.1:9/${pet.id}`, events: ["pet.deleted"] })
      webhookId = ((await webhook.json()) as { id: number }).id
    }
    for (const _ of texts) {
      await post(`/webhooks/${webhookId}/test-deliveries`)
      const visitor = person(petstore.url)
      await visitor.go((await application.ask("read:pets")).url)
      await visitor.signIn("user1", "password1")
      await visitor.allow()
    }
  })

  const paged = Object.entries<Endpoint>(api).filter(([, { paged }]) => paged)
  for (const [name, { path, sorts = [undefined], problems }] of paged)
    test(name, async () => {
      const address = filledPath(path, { webhookId: String(webhookId) })
      const headers = problems.includes("session-required") ? session : key
      const tags = name === "findPetsByTags" && { tags: "linked" }
      for (const sort of sorts) {
        const query = { ...tags, ...(sort && { sort }) }
        const whole = await fetch(
          `${petstore.url}${basePath}${address}?${new URLSearchParams({ ...query, limit: "1000" })}`,
          { headers },
        )
        const ids = ((await whole.json()) as { id: number }[]).map(({ id }) => id)
        assert.deepEqual(
          { hasAll: ids.length >= texts.length, distinct: new Set(ids).size },
          { hasAll: true, distinct: ids.length },
        )
        for (const limit of ["1", "2"]) assert.deepEqual(await follow(address, { ...query, limit }, headers), ids)
      }
    })
})
