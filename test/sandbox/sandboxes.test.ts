import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { queryObjects } from "node:v8"
import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { Damage } from "../../src/core/sql/hashes/damage.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { serverUrl } from "../harness/database.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { sandboxDirectoriesOf } from "../harness/sandbox-directory.ts"
import { sender } from "../harness/send.ts"
import { until } from "../harness/until.ts"
import { usePetstore } from "../harness/use.ts"

const rex = { body: { name: "Rex", photoUrls: [] } }
type Service = { url: string }
const service = ({ url }: Service, apiKey = "special-key") => createSandboxClient({ url, apiKey })
const inside = ({ url }: Service, name: string, apiKey = "special-key") => createSandboxClient({ url, name, apiKey })
const petsOf = ({ url }: { url: string }, apiKey = "special-key") => createPetstoreClient({ url, apiKey, retries: 0 })

describe("named sandboxes as resources", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()

  test("nothing of a deleted sandbox stays in memory (slow)", async () => {
    await using petstore = await startPetstore()
    const storesInMemory = () => queryObjects(Damage, { format: "count" })
    const makeAndDelete = async (name: string) => {
      await petsOf(inside(petstore, name)).addPet(rex)
      await service(petstore).deleteSandbox({ params: { name } })
    }
    await makeAndDelete("first")
    const before = storesInMemory()
    for (let n = 0; n < 5; n++) await makeAndDelete(`s${n}`)
    await until(() => storesInMemory() <= before, `${storesInMemory()} instead of ${before}`, 500)
  })

  test("the list has each with its times, requests, clock, size and source, in the order in which they were made", async () => {
    await using petstore = await startPetstore()
    const house = service(petstore)
    assert.deepEqual((await house.listSandboxes()).value, [])
    await petsOf(inside(petstore, "base")).addPet(rex)
    petstore.clock.advance(5_000)
    await inside(petstore, "base").advanceClock({ body: { advance: "P1D", freeze: true } })
    await inside(petstore, "base").forkSandbox({ body: { name: "copy" } })
    petstore.clock.advance(7_000)
    const { value } = await house.listSandboxes()
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()
    assert.deepEqual(
      value.map(({ bytes, clock, ...rest }) => ({ ...rest, isLarge: bytes > 100_000, ...clock })),
      [
        {
          name: "base",
          url: `${petstore.url}/s/base`,
          createdAt: at(0),
          lastRequestAt: at(5),
          requests: 3,
          idle: "PT1H",
          isLarge: true,
          time: at(86_405),
          aheadSeconds: 86_393,
          frozen: true,
        },
        {
          name: "copy",
          url: `${petstore.url}/s/copy`,
          createdAt: at(5),
          lastRequestAt: at(5),
          requests: 0,
          copiedFrom: "base",
          idle: "PT1H",
          isLarge: true,
          time: at(86_405),
          aheadSeconds: 86_393,
          frozen: true,
        },
      ],
    )
    assert.deepEqual((await house.getSandbox({ params: { name: "copy" } })).value, value[1])
  })

  test("all times in a new one are those of its creation, however it is made and however long the service has run (slow)", async () => {
    await using petstore = await startPetstore()
    const timesIn = async (name: string) => {
      const { url } = inside(petstore, name)
      const [pets, orders, keys, applications] = await Promise.all(
        ["pets", "orders", "keys", "oauth-clients"].map(async (path) => {
          const { value } = await sender({ url })("GET", `/${path}`)
          assert.ok(value.length > 0, path)
          return value as Record<string, string>[]
        }),
      )
      return [
        ...(pets ?? []).flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt]),
        ...(orders ?? []).map(({ placedAt }) => placedAt),
        ...[...(keys ?? []), ...(applications ?? [])].map(({ createdAt }) => createdAt),
      ]
    }
    await petsOf(inside(petstore, "first")).getInventory()
    petstore.clock.advance(2 * 86_400_000 + 7)
    const now = new Date(petstore.clock.now()).toISOString()
    await service(petstore).createSandbox({ body: { name: "asked" } })
    await service(petstore).createSandbox({ body: { name: "seeded", seed: "classic" } })
    for (const name of ["by-request", "asked", "seeded"]) assert.deepEqual(new Set(await timesIn(name)), new Set([now]))
    assert.ok(!(await timesIn("first")).includes(now))
  })

  test("one is created with a seed, and its Location shows it", async () => {
    const made = await service(petstore).createSandbox({ body: { name: "seeded", seed: "shelter", idle: "PT2H30M" } })
    const location = made.headers.get("location") ?? ""
    assert.deepEqual([made.status, location, made.value.idle], [201, "/api/v3/sandboxes/seeded", "PT2H30M"])
    const shown = await fetch(petstore.url + location, { headers: { api_key: "special-key" } })
    assert.equal(((await shown.json()) as { name: string }).name, "seeded")
    const { value: pets } = await petsOf(inside(petstore, "seeded")).listPets({ query: { limit: 1000 } })
    assert.equal(pets.length, 300)
    await service(petstore).createSandbox({ body: { name: "empty", seed: "empty" } })
    assert.deepEqual((await petsOf(inside(petstore, "empty")).listPets()).value, [])
  })

  test("one is created as a copy of another one, which may be frozen", async () => {
    await petsOf(inside(petstore, "source")).addPet(rex)
    await inside(petstore, "source").advanceClock({ body: { advance: "P1D" } })
    const { value } = await service(petstore).createSandbox({
      body: { name: "made-copy", from: "source", freeze: true },
    })
    assert.deepEqual([value.copiedFrom, value.clock.aheadSeconds, value.clock.frozen], ["source", 86_400, true])
    assert.equal((await petsOf(inside(petstore, "made-copy")).getPetById({ params: { petId: 11 } })).value.name, "Rex")
  })

  test("one starts at the date that was asked for, and a reset returns to it (slow)", async () => {
    for (const [name, start] of [
      ["past", "2001-02-03T04:05:06.789Z"],
      ["future", "2099-12-31T23:59:59Z"],
    ] as const) {
      const time = new Date(start).toISOString()
      const { value } = await service(petstore).createSandbox({ body: { name, start, freeze: true } })
      assert.deepEqual([value.clock.time, value.clock.frozen], [time, true])
      const store = petsOf(inside(petstore, name))
      assert.deepEqual(new Set((await store.listKeys()).value.map(({ createdAt }) => createdAt)), new Set([time]))
      await store.addPet(rex)
      assert.equal((await store.listEvents()).value[0]?.timestamp, time)
      assert.equal((await store.getPetById({ params: { petId: 11 } })).status, 200)
    }
    const past = inside(petstore, "past")
    await past.advanceClock({ body: { advance: "P1000D", freeze: false } })
    await past.resetSandbox()
    assert.deepEqual((await past.getClock()).value.time, "2001-02-03T04:05:06.789Z")
    const { value: run } = await service(petstore).createSandbox({
      body: { name: "run", start: "2020-01-01T00:00:00Z" },
    })
    petstore.clock.advance(2_000)
    assert.deepEqual(
      [run.clock.frozen, (await inside(petstore, "run").getClock()).value.time],
      [false, "2020-01-01T00:00:02.000Z"],
    )
  })

  test("two frozen runs from one date are equal byte for byte (slow)", async () => {
    const run = async () => {
      await service(petstore).createSandbox({ body: { name: "twice", start: "2020-01-01T00:00:00Z", freeze: true } })
      const url = `${petstore.url}/s/twice`
      const seen: string[] = []
      const ask = async (path: string, method = "GET", body?: object, key = "special-key") => {
        const headers = { api_key: key, "content-type": "application/json", "idempotency-key": `${seen.length}` }
        const response = await fetch(`${url}/api/v3${path}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        })
        const named = ["etag", "location", "ratelimit", "ratelimit-policy", "link", "x-expires-after"]
        seen.push(
          `${response.status} ${named.map((name) => response.headers.get(name)).join(" ")}\n${await response.text()}`,
        )
      }
      await ask("/pet", "POST", { name: "Rex", photoUrls: [], tags: [{ name: "new" }] })
      await ask("/store/order", "POST", { petId: 1 })
      petstore.clock.advance(1_234)
      await ask("/pet/1", "GET", undefined, "free-key")
      await ask("/sandbox/clock", "POST", { advance: "PT1M" })
      await ask("/pet", "PUT", { id: 11, name: "Max", photoUrls: [] })
      for (const path of [
        "/pet/findByStatus?status=available&limit=5",
        "/events",
        "/audit",
        "/keys",
        "/store/order/4",
        "/user/user1",
        "/webhooks",
      ])
        await ask(path)
      await service(petstore).deleteSandbox({ params: { name: "twice" } })
      return seen
    }
    const real = (text: string) => text.replace(/"aheadSeconds":-?\d+/, "")
    const one = (await run()).map(real)
    petstore.clock.advance(98_765_432)
    assert.deepEqual((await run()).map(real), one)
    assert.ok(
      one.every((text) => /^20[01] /.test(text)),
      one.join("\n"),
    )
  })

  test("one is deleted: its data are gone, its files too, and its name is free", async () => {
    const house = service(petstore)
    await petsOf(inside(petstore, "gone")).addPet(rex)
    const before = sandboxDirectoriesOf(petstore).length
    assert.match(
      (await house.deleteSandbox({ params: { name: "gone" } })).value.message,
      /^The sandbox gone is deleted/,
    )
    await assert.rejects(house.getSandbox({ params: { name: "gone" } }), refusedAs("sandbox-not-found"))
    await assert.rejects(house.deleteSandbox({ params: { name: "gone" } }), refusedAs("sandbox-not-found"))
    await until(() => sandboxDirectoriesOf(petstore).length === before - 1, "the files are still there")
    assert.equal((await petsOf(inside(petstore, "gone")).listPets()).value.length, 10)
  })

  test("a key of a sandbox sees and deletes this one only, by path or header, and creates none", async () => {
    await petsOf(inside(petstore, "other")).listPets()
    const { value: key } = await petsOf(inside(petstore, "mine")).createKey({
      body: { name: "own", scopes: ["admin"] },
    })
    const mine = inside(petstore, "mine", key.secret)
    assert.deepEqual(
      (await mine.listSandboxes()).value.map(({ name }) => name),
      ["mine"],
    )
    const byHeader = await fetch(`${petstore.url}/api/v3/sandboxes`, {
      headers: { api_key: key.secret, "petstore-sandbox": "mine" },
    })
    assert.deepEqual(
      ((await byHeader.json()) as { name: string }[]).map(({ name }) => name),
      ["mine"],
    )
    await assert.rejects(mine.getSandbox({ params: { name: "other" } }), refusedAs("sandbox-not-found"))
    await assert.rejects(mine.deleteSandbox({ params: { name: "other" } }), refusedAs("sandbox-not-found"))
    await assert.rejects(mine.createSandbox({ body: { name: "more" } }), refusedAs("forbidden"))
    await assert.rejects(service(petstore, key.secret).listSandboxes(), refusedAs("unauthorized"))
    await assert.rejects(service(petstore, "pro-key").listSandboxes(), refusedAs("forbidden"))
    assert.equal((await mine.deleteSandbox({ params: { name: "mine" } })).status, 200)
    await assert.rejects(mine.listSandboxes(), refusedAs("unauthorized"))
  })

  test("a look at a sandbox that does not exist creates none", async () => {
    const before = sandboxDirectoriesOf(petstore).length
    const absent = inside(petstore, "absent")
    await assert.rejects(absent.listSandboxes(), refusedAs("sandbox-not-found"))
    await assert.rejects(absent.deleteSandbox({ params: { name: "absent" } }), refusedAs("sandbox-not-found"))
    await assert.rejects(absent.createSandbox({ body: { name: "more" } }), refusedAs("sandbox-not-found"))
    assert.equal(sandboxDirectoriesOf(petstore).length, before)
  })

  test("what cannot be created is refused with what is wrong, and nothing is made", async () => {
    await petsOf(inside(petstore, "taken")).listPets()
    const house = service(petstore)
    const before = (await house.listSandboxes()).value.length
    const create = (body: object) => house.createSandbox({ body: body as { name: string } })
    await assert.rejects(create({ name: "taken" }), refusedAs("sandbox-exists"))
    await assert.rejects(create({ name: "new", from: "unknown" }), refusedAs("sandbox-not-found"))
    for (const [body, detail] of [
      [{}, /name/],
      [{ name: ".." }, /name/],
      [{ name: "new", sead: "empty" }, /seed/],
      [{ name: "new", seed: "full" }, /seed/],
      [{ name: "new", from: "taken", seed: "empty" }, /seed must be absent/],
      [{ name: "new", from: "taken", start: "2020-01-01T00:00:00Z" }, /start must be absent/],
      [{ name: "new", idle: "PT59S" }, /idle must be at least a minute/],
      [{ name: "new", idle: "P1DT1S" }, /idle must be at least a minute, PT1M, and at most a day/],
      [{ name: "new", idle: "an hour" }, /idle must be an ISO 8601 duration/],
      [{ name: "new", start: "1999-12-31T23:59:59Z" }, /start must be in the years 2000 to 2099/],
      [{ name: "new", start: "2100-01-01T00:00:00Z" }, /start must be in the years 2000 to 2099/],
      [{ name: "new", start: "tomorrow" }, /start/],
      [{ name: "new", freeze: "yes" }, /freeze/],
    ] as const)
      await assert.rejects(create(body), (error: { code: string; message: string }) => {
        assert.deepEqual([error.code, detail.test(error.message)], ["invalid-body", true], error.message)
        return true
      })
    assert.equal((await house.listSandboxes()).value.length, before)
  })

  test("of many requests to create one name at once, or to copy to it, one succeeds", async () => {
    await petsOf(inside(petstore, "crowded")).listPets()
    const house = service(petstore)
    const before = sandboxDirectoriesOf(petstore).length
    const all = await Promise.allSettled([
      ...Array.from({ length: 5 }, () => house.createSandbox({ body: { name: "one" } })),
      ...Array.from({ length: 5 }, () => house.createSandbox({ body: { name: "one", from: "crowded" } })),
      ...Array.from({ length: 5 }, () => inside(petstore, "crowded").forkSandbox({ body: { name: "one" } })),
    ])
    assert.equal(all.filter(({ status }) => status === "fulfilled").length, 1)
    for (const one of all) if (one.status === "rejected") assert.equal(one.reason.code, "sandbox-exists")
    assert.equal(sandboxDirectoriesOf(petstore).length, before + 1)
  })

  test("each is deleted after its own time without a request, and a look at it is none (slow)", async () => {
    await using petstore = await startPetstore({ sandboxes: { sweepMs: 10 } })
    const house = service(petstore)
    await house.createSandbox({ body: { name: "short", idle: "PT1M" } })
    await house.createSandbox({ body: { name: "long", idle: "P1D" } })
    await house.createSandbox({ body: { name: "usual" } })
    const left = async () => (await house.listSandboxes()).value.map(({ name }) => name).join()
    const becomes = (names: string) => until(async () => (await left()) === names, `not ${names}`)
    petstore.clock.advance(60_000)
    await becomes("long,usual")
    petstore.clock.advance(3_540_000)
    await becomes("long")
    petstore.clock.advance(82_800_000)
    await becomes("")
  })

  test("when the house is full, the 503 names the one that makes way first, and when", async () => {
    await using petstore = await startPetstore({ sandboxes: { ofExemptMax: 2, max: 2 } })
    const house = service(petstore)
    for (const name of ["older", "newer"]) {
      await house.createSandbox({ body: { name } })
      petstore.clock.advance(10_000)
    }
    const full = await fetch(`${petstore.url}/s/third/api/v3/pet/1`, { headers: { api_key: "special-key" } })
    assert.deepEqual([full.status, full.headers.get("retry-after")], [503, "40"])
    const { detail } = (await full.json()) as { detail: string }
    assert.match(detail, /older, unused for longest, makes way in 40 s, or at once with DELETE \/sandboxes\/older$/)
    petstore.clock.advance(40_000)
    assert.equal((await house.createSandbox({ body: { name: "third" } })).status, 201)
    assert.deepEqual(
      (await house.listSandboxes()).value.map(({ name }) => name),
      ["newer", "third"],
    )
  })
})

test("production has no such operations", async () => {
  await using petstore = await startPetstore({
    env: { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" },
  })
  const headers = { api_key: petstore.firstKey as string }
  for (const path of ["/sandboxes", "/sandboxes/one"])
    assert.equal((await fetch(`${petstore.url}/api/v3${path}`, { headers })).status, 404)
})
