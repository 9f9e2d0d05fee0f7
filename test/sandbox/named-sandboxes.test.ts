import assert from "node:assert/strict"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { describe, test } from "node:test"
import { type ClientOptions, createClient } from "../../src/client/client.ts"
import { isInMemory } from "../../src/core/disk/file-system.ts"
import { api } from "../../src/core/domain/api.ts"
import { openSqlite } from "../../src/core/sqlite/open.ts"
import { sandbox } from "../../src/parts/sandbox/contract.ts"
import { openTemporaryData } from "../../src/parts/sandbox/files/temporary.ts"
import { bytesWithin } from "../../src/parts/sandbox/named/bounds.ts"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { startReceiver } from "../harness/receiver.ts"
import { sandboxDirectoriesOf, sandboxDirectoryOf } from "../harness/sandbox-directory.ts"
import { asker } from "../harness/send.ts"
import { until } from "../harness/until.ts"
import { use, usePetstore } from "../harness/use.ts"

type Service = { url: string }

/** A client of a sandbox, by its base path. */
const below = ({ url }: Service, name: string, options: Partial<ClientOptions> = {}) =>
  createClient({ ...api, ...sandbox }, { url: `${url}/s/${name}`, headers: { api_key: "special-key" }, ...options })
/** The same, by the header. */
const named = ({ url }: Service, name: string) =>
  createClient({ ...api, ...sandbox }, { url, headers: { api_key: "special-key", "petstore-sandbox": name } })
const rex = { body: { name: "Rex", photoUrls: [] } }
const problemOf = async (response: Response) => (await response.json()) as { code: string; detail: string }

const unsafeInHeaders = ["%E4%BD%A0", "%00", "x%0d%0aX-Injected:%201", "%7f"]

describe("named sandboxes", { skip: serverUrl && "they need SQLite" }, () => {
  const petstore = usePetstore()
  const receiver = use(startReceiver)

  test("each has a store of its own, by header or path, and the service's is not touched", async () => {
    const { value: one } = await below(petstore, "one").addPet(rex)
    const { value: other } = await named(petstore, "other").addPet({ body: { name: "Fido", photoUrls: [] } })
    assert.deepEqual({ one: one.id, other: other.id }, { one: 11, other: 11 })
    const read = { params: { petId: 11 } }
    assert.equal((await named(petstore, "one").getPetById(read)).value.name, "Rex")
    assert.equal((await below(petstore, "other").getPetById(read)).value.name, "Fido")
    await assert.rejects(petstore.as("special-key").getPetById(read), refusedAs("pet-not-found"))
    await assert.rejects(below(petstore, "third").getPetById(read), refusedAs("pet-not-found"))
  })

  test("starts like the service at its first start", async () => {
    const state = async (client: ReturnType<typeof petstore.as>, url: string) => [
      (await client.listPets({ query: { sort: "id" } })).text.replaceAll(`${url}/images/`, "/images/"),
      (await client.listUsers()).value,
      (await client.listOrders()).value,
      (await client.listKeys()).value.map(({ id, name, scopes }) => ({ id, name, scopes })),
    ]
    await using untouched = await startPetstore()
    assert.deepEqual(
      await state(below(petstore, "fresh"), `${petstore.url}/s/fresh`),
      await state(untouched.as("special-key"), untouched.url),
    )
    assert.deepEqual((await below(petstore, "fresh").listEvents()).value, [])
  })

  test("twenty concurrent requests for a new one share it", async () => {
    const added = await Promise.all(Array.from({ length: 20 }, () => below(petstore, "crowd").addPet(rex)))
    assert.deepEqual(
      added.map(({ value }) => value.id).toSorted((a, b) => a - b),
      Array.from({ length: 20 }, (_, n) => 11 + n),
    )
  })

  test("credentials, limits and idempotency keys are separate, also on one connection", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const status = async (path: string, headers: Record<string, string>, method = "GET") => {
      const asked = request(petstore.url + path, { agent, method, headers }).end()
      const [response] = await once(asked, "response")
      await text(response)
      return response.statusCode as number
    }
    const admin = below(petstore, "keys-a")
    const { value: key } = await admin.createKey({ body: { name: "own", scopes: ["read:pets"] } })
    const own = { api_key: key.secret }
    assert.equal(await status("/s/keys-a/api/v3/pet/1", own), 200)
    for (const elsewhere of ["/s/keys-b/api/v3/pet/1", "/api/v3/pet/1"]) assert.equal(await status(elsewhere, own), 401)
    await admin.revokeKey({ params: { id: key.id } })
    assert.equal(await status("/s/keys-a/api/v3/pet/1", own), 401)
    const spent = { api_key: "free-key", "petstore-sandbox": "keys-a" }
    for (let n = 0; n < 60; n++) assert.equal(await status("/api/v3/pet/1", spent), 200)
    assert.equal(await status("/api/v3/pet/1", spent), 429)
    assert.equal(await status("/api/v3/pet/1", { api_key: "free-key" }), 200)
    agent.destroy()

    const repeat = async (name: string) => {
      const response = await fetch(`${petstore.url}/s/${name}/api/v3/pet`, {
        method: "POST",
        headers: { "idempotency-key": "same", api_key: "special-key", "content-type": "application/json" },
        body: JSON.stringify(rex.body),
      })
      return response.headers.get("idempotency-replayed")
    }
    assert.deepEqual([await repeat("keys-a"), await repeat("keys-b"), await repeat("keys-a")], [null, null, "true"])
  })

  test("a login token is valid only in its sandbox", async () => {
    const { value: token } = await below(petstore, "login").loginUser({
      query: { username: "user1", password: "password1" },
    })
    const headers = { authorization: `Bearer ${token}` }
    const read = async (name: string) =>
      (await fetch(`${petstore.url}/s/${name}/api/v3/user/user1`, { headers })).status
    assert.deepEqual({ login: await read("login"), one: await read("one") }, { login: 200, one: 401 })
  })

  test("its webhooks and its stream have only its own events", async () => {
    const hooked = below(petstore, "hooked")
    await hooked.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    const stopped = new AbortController()
    const stream = await fetch(`${petstore.url}/s/hooked/api/v3/events/stream`, {
      headers: { api_key: "special-key" },
      signal: stopped.signal,
    })
    await below(petstore, "one").addPet(rex)
    await petstore.as("special-key").addPet(rex)
    await hooked.addPet({ body: { name: "Heard", photoUrls: [] } })
    await receiver.until(({ length }) => length > 0)
    assert.deepEqual(
      receiver.received.map(({ body }) => JSON.parse(body).data.name),
      ["Heard"],
    )
    let told = ""
    for await (const piece of stream.body ?? []) {
      told += Buffer.from(piece).toString()
      if (told.includes("Heard")) break
    }
    assert.ok(!told.includes("Rex"))
    stopped.abort()
  })

  test("a reset and a fault affect one sandbox only", async () => {
    await below(petstore, "reset").addPet(rex)
    await below(petstore, "kept").addPet(rex)
    await below(petstore, "reset").resetSandbox({ query: { seed: "empty" } })
    assert.deepEqual((await below(petstore, "reset").listPets()).value, [])
    assert.equal((await below(petstore, "kept").listPets()).value.length, 11)
    assert.equal((await petstore.as("special-key").getPetById({ params: { petId: 1 } })).value.id, 1)
    const broken = await fetch(`${petstore.url}/s/kept/api/v3/pet/1`, {
      headers: { api_key: "special-key", prefer: "code=503" },
    })
    assert.equal(broken.status, 503)
  })

  test("URLs lead back into it: pages, locations, problems, its description and its photos", async () => {
    const headers = { api_key: "special-key" }
    const get = asker(petstore, "/s/links")
    const page = await get("/api/v3/pet/findByStatus?status=available&limit=2")
    const [, next = ""] = /^<(.*)>; rel="next"$/.exec(page.headers.get("link") ?? "") ?? []
    assert.ok(next.startsWith(`${petstore.url}/s/links/api/v3/pet/findByStatus?`))
    assert.equal((await fetch(next, { headers })).status, 200)
    const made = await fetch(`${petstore.url}/api/v3/keys`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "petstore-sandbox": "links" },
      body: JSON.stringify({ name: "own", scopes: ["read:pets"] }),
    })
    assert.match(made.headers.get("location") ?? "", /^\/s\/links\/api\/v3\/keys\/\d+$/)
    const absent = (await (await get("/api/v3/pet/999")).json()) as { type: string; instance: string }
    assert.equal(absent.instance, "/s/links/api/v3/pet/999")
    assert.equal((await fetch(absent.type)).status, 200)
    const described = (await (await get("/api/v3/openapi.json")).json()) as { servers: unknown }
    assert.deepEqual(described.servers, [{ url: `${petstore.url}/s/links/api/v3`, description: "This service" }])
    const { value: pet } = await named(petstore, "links").getPetById({ params: { petId: 1 } })
    const [photo = ""] = pet.photoUrls
    assert.ok(photo.startsWith(`${petstore.url}/s/links/images/`))
    assert.equal((await fetch(photo)).headers.get("content-type"), "image/webp")
  })

  test("paths of the service itself are not in it, also with the header, which pages ignore", async () => {
    for (const path of ["/livez", "/s/inner/api/v3/pet/1", "/api/v3/nothing"])
      assert.equal((await fetch(`${petstore.url}/s/one${path}`)).status, 404, path)
    const headers = { "petstore-sandbox": "one", api_key: "special-key" }
    for (const [path, status] of [
      ["/docs", 200],
      ["/", 200],
      ["/livez", 404],
      ["/metrics", 404],
    ] as const)
      assert.equal((await fetch(petstore.url + path, { headers })).status, status, path)
  })

  test("a request without a key for a new sandbox is 401 and creates none, for any path", async () => {
    const before = sandboxDirectoriesOf(petstore).length
    const body = JSON.stringify({ username: "user1", password: "password1" })
    const post = { method: "POST", headers: { "content-type": "application/json" }, body }
    for (const [path, sent] of [
      ["/api/v3/pet/1", {}],
      ["/api/v3/pet/1", { headers: { api_key: "invented" } }],
      ["/api/v3/pet/1", { headers: { authorization: "Bearer invented" } }],
      ["/api/v3/pet/1", { headers: { api_key: "special-key", authorization: "Bearer invented" } }],
      ["/api/v3/user", post],
      ["/api/v3/user/login", post],
      ["/api/v3/openapi.json", {}],
      ["/api/v3/nothing", {}],
      ["/docs", {}],
    ] as const) {
      const response = await fetch(`${petstore.url}/s/absent${path}`, sent)
      assert.equal(response.status, 401, path)
      assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer .*, ApiKey /)
      assert.match((await problemOf(response)).detail, /^The sandbox absent does not exist\. A request with an API key/)
    }
    assert.equal(sandboxDirectoriesOf(petstore).length, before)
    for (const key of ["special-key", "pro-key", "free-key"]) {
      const response = await fetch(`${petstore.url}/s/by-${key}/api/v3/pet/1`, { headers: { api_key: key } })
      assert.equal(response.status, 200, key)
    }
    assert.equal((await fetch(`${petstore.url}/s/by-pro-key/api/v3/user/login`, post)).status, 200)
  })

  test("a request that only reads a sandbox itself, or copies it, creates none", async () => {
    const before = sandboxDirectoriesOf(petstore).length
    const headers = { api_key: "special-key", "content-type": "application/json" }
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${petstore.url}/s/typo/api/v3/sandbox/${path}`, { headers, ...init })
    const fork = { method: "POST", body: '{"name":"copy"}' }
    for (const [path, init] of [
      ...[["forks", fork], ["forks/", fork], ["clock"], ["faults"], ["requests"], ["requests/stream"]],
      ["clock", { method: "HEAD" }],
    ] as [string, RequestInit?][]) {
      const response = await ask(path, init)
      assert.equal(response.status, 404, path)
      if (init?.method === "HEAD") continue
      const { code, detail } = await problemOf(response)
      assert.deepEqual([path, code, /^There is no sandbox typo\. /.test(detail)], [path, "sandbox-not-found", true])
    }
    assert.equal((await ask("clock", { headers: {} })).status, 401)
    assert.equal(sandboxDirectoriesOf(petstore).length, before)
    assert.equal((await ask("reset", { method: "POST" })).status, 200)
    const made = await ask("forks", fork)
    assert.equal(made.status, 201)
    assert.equal((await fetch(made.headers.get("location") ?? "", { headers })).status, 200)
    for (const name of [".", "..", "...."])
      assert.equal((await ask("forks", { method: "POST", body: JSON.stringify({ name }) })).status, 422, name)
  })

  test("a page of another site creates none, and a preflight neither; a page of this machine does", async () => {
    const before = sandboxDirectoriesOf(petstore).length
    const ask = (origin: string, method: string, more = {}) =>
      fetch(`${petstore.url}/s/page/api/v3/pet/1`, { method, headers: { origin, ...more } })
    const preflight = { "access-control-request-method": "GET", "access-control-request-headers": "api_key" }
    assert.equal((await ask("http://localhost:3000", "OPTIONS", preflight)).status, 204)
    const refused = await ask("https://site.example", "GET", { api_key: "special-key" })
    assert.deepEqual(
      { status: refused.status, code: (await problemOf(refused)).code },
      { status: 403, code: "foreign-page" },
    )
    assert.equal(refused.headers.get("access-control-allow-origin"), null)
    assert.equal(sandboxDirectoriesOf(petstore).length, before)
    assert.equal((await ask("http://localhost:3000", "GET", { api_key: "special-key" })).status, 200)
    assert.equal((await ask("https://site.example", "GET", { api_key: "special-key" })).status, 200)
  })

  test("an invalid name, or two names, are refused with the reason and create none", async () => {
    const before = sandboxDirectoriesOf(petstore).length
    const refused = async (path: string, name?: string) => {
      const headers: Record<string, string> = {
        api_key: "special-key",
        ...(name !== undefined && { "petstore-sandbox": name }),
      }
      const response = await fetch(petstore.url + path, { headers })
      assert.equal(response.status, 400)
      return (await problemOf(response)).detail
    }
    const form = "Petstore-Sandbox must have 1 to 64 letters, digits and . _ -, not only dots"
    for (const name of ["", "a b", "..%2f", "a".repeat(65), "a,b", "é", ".", "..", "..."])
      assert.equal(await refused("/api/v3/pet/1", name), form)
    for (const name of ["a%20b", "a%2fb", ""]) assert.equal(await refused(`/s/${name}/api/v3/pet/1`), form)
    for (const name of unsafeInHeaders) assert.equal(await refused(`/s/${name}`), form)
    assert.equal(await refused("/s/a/api/v3/pet/1", "b"), 'Petstore-Sandbox is "b", and the path names a')
    assert.equal(sandboxDirectoriesOf(petstore).length, before)
  })

  test("a part of a path that no header may have is never a 500 and adds no header, on any page", async () => {
    for (const start of ["/s/", "/s/a/", "/problems/", "/images/", "/docs/", "/pets/", "/console/pets/", "/receiver/"])
      for (const part of unsafeInHeaders) {
        const { status, headers } = await fetch(petstore.url + start + part, { redirect: "manual" })
        assert.ok(status < 500 && !headers.has("x-injected"), `${start}${part} ${status}`)
      }
  })

  test("is identified in the log", async () => {
    await below(petstore, "logged").getPetById({ params: { petId: 1 } })
    const line = petstore.lines.map((line) => JSON.parse(line)).find(({ sandbox }) => sandbox === "logged")
    assert.equal(line["url.path"], "/api/v3/pet/1")
  })

  test("a full one refuses writes, keeps its data, and accepts writes after a reset (slow)", async () => {
    const full = below(petstore, "full")
    const body = {
      name: "x".repeat(100),
      photoUrls: Array.from({ length: 50 }, (_, n) => `https://a.example/${n}/${"x".repeat(1900)}`),
    }
    let added = 0
    await assert.rejects(
      async () => {
        for (; added < 1000; added++) await full.addPet({ body })
      },
      (error: unknown) => refusedAs("unavailable")(error) && /the sandbox is full; a reset/.test(String(error)),
    )
    assert.ok(added > 100 && added < 400, `${added}`)
    assert.equal((await full.getPetById({ params: { petId: 10 + added } })).value.name, body.name)
    await full.resetSandbox()
    assert.equal((await full.addPet(rex)).value.id, 11)
    await petstore.as("special-key").addPet(rex)
  })
})

describe("the number of named sandboxes", { skip: serverUrl && "they need SQLite" }, () => {
  const bounds = { max: 2, idleMs: 10_000, replaceableMs: 1_000, sweepMs: 5 }

  test("is bounded: an unused one makes room, one in use does not", async () => {
    await using petstore = await startPetstore({ sandboxes: { ...bounds, sweepMs: 60_000 } })
    await below(petstore, "a").addPet(rex)
    petstore.clock.advance(500)
    await below(petstore, "b").addPet(rex)
    const third = await fetch(`${petstore.url}/s/c/api/v3/pet/1`, { headers: { api_key: "special-key" } })
    assert.deepEqual(
      { status: third.status, "retry-after": third.headers.get("retry-after") },
      { status: 503, "retry-after": "1" },
    )
    petstore.clock.advance(600)
    await below(petstore, "c").addPet(rex)
    assert.equal((await below(petstore, "b").listPets()).value.length, 11, "the one used last was deleted")
    await until(() => sandboxDirectoriesOf(petstore).length === 3, "the one that was replaced is still there")
  })

  /** Requests of several addresses, as a proxy on this machine forwards them. */
  const proxied = { PETSTORE_TRUSTED_PROXIES: "127.0.0.1" }
  const from = (service: Service, address: string, name: string, path = "/api/v3/pet", init: RequestInit = {}) =>
    fetch(`${service.url}/s/${name}${path}`, {
      ...init,
      headers: { api_key: "special-key", "content-type": "application/json", "x-forwarded-for": address },
    })
  const adding = { method: "POST", body: JSON.stringify(rex.body) }
  const petsOf = async (service: Service, address: string, name: string) => {
    const counts = (await (await from(service, address, name, "/api/v3/store/inventory")).json()) as object
    return Object.values(counts).reduce((sum: number, count: number) => sum + count, 0)
  }

  test("is bounded per address, and larger for an exempt address (slow)", async () => {
    const few = { ...bounds, max: 9, ofAddressMax: 2, ofExemptMax: 3, sweepMs: 60_000 }
    await using petstore = await startPetstore({ sandboxes: few, env: proxied })
    const statuses = async (address: string, count: number) => {
      const seen: number[] = []
      for (let n = 0; n < count; n++) seen.push((await from(petstore, address, `${address.length}-${n}`)).status)
      return seen
    }
    assert.deepEqual(await statuses("192.0.2.1", 3), [200, 200, 503])
    assert.deepEqual(await statuses("127.0.0.99", 4), [200, 200, 200, 503])
    const refused = await from(petstore, "192.0.2.1", "more")
    assert.match((await problemOf(refused)).detail, /^Your address has 2 sandboxes, and each was used within/)
    const same = await Promise.all(["a", "b", "c"].map((name) => from(petstore, `2001:db8::${name}`, name)))
    assert.deepEqual(same.map(({ status }) => status).toSorted(), [200, 200, 503], "an IPv6 /64 is one address")
  })

  test("of an address there are ten, unless it is exempt (slow)", async () => {
    await using petstore = await startPetstore({ env: proxied })
    for (let n = 1; n <= 11; n++)
      assert.equal((await from(petstore, "192.0.2.1", `own-${n}`)).status, n <= 10 ? 200 : 503, `sandbox ${n}`)
  })

  test("makes room at the expense of the address with the most, even when all of them are in use (slow)", async () => {
    const few = { ...bounds, max: 3, sweepMs: 60_000 }
    await using petstore = await startPetstore({ sandboxes: few, env: proxied })
    await from(petstore, "192.0.2.2", "one", undefined, adding)
    for (const name of ["most-1", "most-2"]) await from(petstore, "192.0.2.1", name, undefined, adding)
    const headers = { api_key: "special-key", prefer: "fault=slow" }
    const running = await fetch(`${petstore.url}/s/most-1/api/v3/pet`, { headers })
    const stopped = new AbortController()
    await fetch(`${petstore.url}/s/most-2/api/v3/events/stream`, {
      headers: { api_key: "special-key" },
      signal: stopped.signal,
    })
    const directories = sandboxDirectoriesOf(petstore).toSorted()
    assert.equal((await from(petstore, "192.0.2.3", "new")).status, 200)
    assert.equal(((await running.json()) as object[]).length, 11, "a request that was running did not end well")
    await until(
      () => !sandboxDirectoriesOf(petstore).includes(directories[1] as string),
      "the least recently used is there",
    )
    assert.equal((await from(petstore, "192.0.2.1", "most-3")).status, 503, "an address took from one with as many")
    assert.deepEqual(
      [await petsOf(petstore, "192.0.2.2", "one"), await petsOf(petstore, "192.0.2.1", "most-2")],
      [11, 11],
    )
    stopped.abort()
  })

  test("is bounded by their total size: the address that uses most makes room, or none is added (slow)", async () => {
    const bytesMax = 4_000_000
    await using petstore = await startPetstore({
      sandboxes: { ...bounds, max: 9, bytesMax, sweepMs: 60_000 },
      env: proxied,
    })
    const large = JSON.stringify({
      name: "Large",
      photoUrls: Array.from({ length: 50 }, (_, n) => `https://a.example/${n}/${"x".repeat(1900)}`),
    })
    const fill = async (address: string, name: string) => {
      for (let n = 0; n < 100; n++) {
        const { status } = await from(petstore, address, name, undefined, { method: "POST", body: large })
        if (status !== 200) return [n, status]
      }
      return "never full"
    }
    const [count = 0, status] = (await fill("192.0.2.1", "first")) as number[]
    assert.equal(status, 503)
    assert.ok(count > 5 && count < 50, `${count}`)
    assert.equal(await petsOf(petstore, "192.0.2.1", "first"), 10 + count, "what was stored is read")
    const refused = await from(petstore, "192.0.2.1", "first", undefined, adding)
    assert.match((await problemOf(refused)).detail, /^The sandboxes hold 3 MiB together, and each was used within/)
    assert.equal((await from(petstore, "192.0.2.2", "second", undefined, adding)).status, 200)
    assert.equal(await petsOf(petstore, "192.0.2.1", "first"), 10, "the largest share was not evicted")
    assert.equal(await petsOf(petstore, "192.0.2.2", "second"), 11)
  })

  test("an open stream keeps one in use; without it, it is deleted with its files (slow)", async () => {
    await using petstore = await startPetstore({ sandboxes: bounds })
    await below(petstore, "watched").addPet(rex)
    await below(petstore, "idle").addPet(rex)
    const stopped = new AbortController()
    await fetch(`${petstore.url}/s/watched/api/v3/events/stream`, {
      headers: { api_key: "special-key" },
      signal: stopped.signal,
    })
    petstore.clock.advance(bounds.idleMs)
    await until(() => sandboxDirectoriesOf(petstore).length === 2, "the idle one was not forgotten")
    assert.equal((await below(petstore, "watched").listPets()).value.length, 11)
    assert.equal((await below(petstore, "idle").listPets()).value.length, 10)
    stopped.abort()
  })

  test("one that cannot be created is a 503, and existing ones continue to work", async () => {
    await using petstore = await startPetstore()
    await below(petstore, "made").addPet(rex)
    writeFileSync(join(sandboxDirectoryOf(petstore) as string, "template", "petstore.db"), "no database")
    await assert.rejects(below(petstore, "broken", { retries: 0 }).addPet(rex), refusedAs("unavailable"))
    assert.equal((await below(petstore, "made").listPets()).value.length, 11)
    assert.deepEqual(sandboxDirectoriesOf(petstore).toSorted(), ["1", "template"])
  })

  test("files of a killed process are removed at the start, without a request, and all files at the end (slow)", async () => {
    using directory = temporaryDirectory()
    const left = join(directory.path, "petstore-sandboxes")
    for (const name of ["7", "template", "0123456789ab"]) {
      mkdirSync(join(left, name, "images"), { recursive: true })
      writeFileSync(join(left, name, "petstore.db"), "left")
    }
    for (const ending of [".lock", ".lock-journal"]) writeFileSync(join(left, `0123456789ab${ending}`), "")
    const start = () => startPetstore({ env: { PETSTORE_DATA_DIR: directory.path } })
    {
      await using _ = await start()
      await until(() => !existsSync(left), "the files are still there")
    }
    {
      await using petstore = await start()
      await below(petstore, "a").addPet(rex)
      assert.deepEqual(sandboxDirectoriesOf(petstore).toSorted(), ["1", "template"])
    }
    assert.equal(existsSync(left), false)
  })

  test("a start leaves those of a running process with another database in the same directory", async () => {
    using directory = temporaryDirectory()
    const temporaryData = () =>
      openTemporaryData(
        directory.path,
        async (home) => {
          mkdirSync(join(home.directory, "images"))
          await openSqlite(join(home.directory, "petstore.db")).close()
        },
        (error) => assert.fail(String(error)),
      )
    const running = temporaryData()
    const home = await running.make()
    const before = readdirSync(directory.path)
    {
      await using other = temporaryData()
      await other.make()
      assert.equal(readdirSync(directory.path).filter((name) => !name.includes(".")).length, 2)
    }
    assert.deepEqual(readdirSync(directory.path), before)
    assert.equal(existsSync(home.directory), true)
    await running[Symbol.asyncDispose]()
    assert.equal(existsSync(directory.path), false)
  })

  test("sandboxes accept no writes while the main store accepts none, and their data can be read and deleted", async () => {
    await using petstore = await startPetstore()
    await below(petstore, "made").addPet(rex)
    const { store } = petstore
    store.refusesWrites = () => "the disk is full"
    const refused = (error: unknown) => refusedAs("unavailable")(error) && /the disk is full/.test(String(error))
    const made = below(petstore, "made", { retries: 0 })
    await assert.rejects(made.addPet(rex), refused)
    await assert.rejects(made.forkSandbox({ body: { name: "copy" } }), refused)
    await assert.rejects(below(petstore, "new", { retries: 0 }).listPets(), refused)
    assert.equal((await made.getPetById({ params: { petId: 11 } })).value.name, "Rex")
    assert.equal((await made.deletePet({ params: { petId: 11 } })).status, 200)
    store.refusesWrites = () => undefined
    await made.addPet(rex)
  })
})

test("where files are in memory, sandboxes hold at most a quarter of what the process may use", () => {
  const mebibyte = 1024 * 1024
  assert.deepEqual(
    [512, 1024, 4096, 65_536].map((limit) => bytesWithin(limit * mebibyte) / mebibyte),
    [128, 256, 1024, 1024],
  )
  assert.equal(isInMemory("/proc"), false)
  if (existsSync("/dev/shm")) assert.equal(isInMemory("/dev/shm"), true)
})

test("production has none, and refuses requests for one", async () => {
  await using petstore = await startPetstore({
    env: { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" },
  })
  const headers = { api_key: petstore.firstKey as string }
  const ask = (path: string, more = {}) => fetch(petstore.url + path, { headers: { ...headers, ...more } })
  const refused = await ask("/api/v3/pet/1", { "petstore-sandbox": "a" })
  assert.equal(refused.status, 400)
  assert.match((await problemOf(refused)).detail, /names a sandbox, and production has none/)
  assert.equal((await ask("/s/a/api/v3/pet/1")).status, 404)
})
