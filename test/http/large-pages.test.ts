import assert from "node:assert/strict"
import { before, describe, test } from "node:test"
import { setImmediate as turn } from "node:timers/promises"
import { pieceBytes } from "../../src/core/server/writing/send-pieces.ts"
import { serverUrl } from "../harness/database.ts"
import { addLargePets } from "../harness/large-pets.ts"
import { startPetstore } from "../harness/petstore.ts"
import { usePetstore } from "../harness/use.ts"

const pets = 12
const firstId = 1000
const pageBytesMax = 1024 * 1024
const byStatusOf = (root: string) => `${root}/pet/findByStatus?status=sold&limit=1000`
const headers = { api_key: "special-key", "content-type": "application/json" }

/** The ids of large pets in a response; those of other pets have fewer digits. */
const idsIn = {
  "application/json": (text: string) => [...text.matchAll(/\{"id":(\d{4})/g)].map(([, id]) => Number(id)),
  "application/xml": (text: string) => [...text.matchAll(/<pet><id>(\d{4})/gi)].map(([, id]) => Number(id)),
}

describe("a page of large pets is at most 1 MiB, and its Link leads to each pet once", () => {
  const petstore = usePetstore()
  before(() => addLargePets(petstore, firstId, pets))

  async function idsBehind(path: string, type: keyof typeof idsIn): Promise<number[]> {
    const ids: number[] = []
    for (let next: string | undefined = petstore.url + path; next !== undefined; ) {
      const response: Response = await fetch(next, { headers: { ...headers, accept: type } })
      const text = await response.text()
      assert.ok(Buffer.byteLength(text) <= pageBytesMax, `${Buffer.byteLength(text)}`)
      ids.push(...idsIn[type](text))
      next = /<(.*)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1]
    }
    return ids
  }

  const newestFirst = Array.from({ length: pets }, (_, n) => firstId + pets - 1 - n)

  for (const type of ["application/json", "application/xml"] as const) {
    for (const root of ["/api/v3", "/v2"])
      test(`below ${root}, as ${type}`, async () => {
        assert.deepEqual(await idsBehind(byStatusOf(root), type), newestFirst)
      })
    test(`of a named sandbox, as ${type}`, { skip: serverUrl && "they need SQLite" }, async () => {
      const root = `/s/${type.replace("/", ".")}/api/v3`
      for (const id of newestFirst) {
        const body = await (await fetch(`${petstore.url}/api/v3/pet/${id}`, { headers })).text()
        await fetch(`${petstore.url}${root}/pet`, { method: "POST", headers, body })
      }
      assert.deepEqual(await idsBehind(byStatusOf(root), type), newestFirst)
    })
  }

  for (const path of [
    byStatusOf("/api/v3"),
    byStatusOf("/v2"),
    "/api/v3/openapi.json",
    "/api/v3/openapi.json?version=3.2",
  ])
    test(`${path} arrives whole when it is read slowly, and is the same for clients that accept gzip`, async () => {
      async function read(encoding: string): Promise<Response> {
        const response = await fetch(petstore.url + path, { headers: { ...headers, "accept-encoding": encoding } })
        const chunks: Uint8Array[] = []
        for await (const chunk of response.body as ReadableStream<Uint8Array>) {
          chunks.push(chunk)
          await turn()
        }
        return new Response(Buffer.concat(chunks), { headers: response.headers })
      }
      const [plain, zipped] = [await read("identity"), await read("gzip")]
      const isDescription = path.includes("openapi")
      assert.equal(zipped.headers.get("content-encoding"), isDescription ? "gzip" : null)
      const text = await plain.text()
      assert.equal(Buffer.byteLength(text), Number(plain.headers.get("content-length")))
      assert.ok(text.length > pieceBytes)
      assert.deepEqual(JSON.parse(await zipped.text()), JSON.parse(text))
    })

  test("in any order", async () => {
    for (const sort of ["-id", "name"])
      assert.deepEqual(
        (await idsBehind(`/api/v3/pet?status=sold&sort=${sort}&limit=1000`, "application/json")).sort(),
        newestFirst.toSorted(),
      )
  })
})

test("a list of large events is at most 1 MiB, and each event is read once after the one before (slow)", async () => {
  await using petstore = await startPetstore()
  const photoUrls = Array<string>(30).fill(`https://pets.example/?${"a".repeat(2000)}`)
  for (let n = 0; n < 25; n++)
    await fetch(`${petstore.url}/api/v3/pet`, {
      method: "POST",
      headers,
      body: JSON.stringify({ name: "Rex", photoUrls }),
    })
  for (const sort of ["id", "-id"]) {
    const read: string[] = []
    for (let isEmpty = false; !isEmpty; ) {
      const after = read.length === 0 ? "" : `&after=${read.at(-1)}`
      const text = await (
        await fetch(`${petstore.url}/api/v3/events?limit=1000&sort=${sort}${after}`, { headers })
      ).text()
      assert.ok(Buffer.byteLength(text) <= pageBytesMax + 10_000, `${Buffer.byteLength(text)}`)
      const events: { id: string; event: string }[] = JSON.parse(text)
      read.push(...events.map(({ id }) => id))
      isEmpty = events.length === 0
    }
    assert.equal(read.length, 25)
    assert.equal(new Set(read).size, 25)
  }
})
