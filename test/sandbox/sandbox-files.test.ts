import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createPetstoreClient } from "../../src/client/petstore-client.ts"
import { queryOf } from "../../src/core/kernel/endpoint/endpoint.ts"
import { filledPath, pathParameters } from "../../src/core/kernel/network/path.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import type { SandboxData } from "../../src/parts/sandbox/files/contract.ts"
import { serverUrl } from "../harness/database.ts"
import { makeImage } from "../harness/images.ts"
import { malformed } from "../harness/malformed.ts"
import { connectTools, textOf, withKey } from "../harness/mcp.ts"
import { everyOperation } from "../harness/operations.ts"
import { refusedAs, startPetstore } from "../harness/petstore.ts"
import { startReceiver } from "../harness/receiver.ts"
import { sandboxDirectoriesOf } from "../harness/sandbox-directory.ts"
import { until } from "../harness/until.ts"
import { use, usePetstore } from "../harness/use.ts"

type Service = { url: string }
const service = ({ url }: Service) => createSandboxClient({ url })
const inside = ({ url }: Service, name: string) => createSandboxClient({ url, name })
const storeOf = ({ url }: Service, name: string, apiKey = "special-key") =>
  createPetstoreClient({ url: `${url}/s/${name}`, apiKey, retries: 0 })
const fileOf = async (at: Service, name: string) => (await service(at).exportSandbox({ params: { name } })).text
/** Sends a file as it is, as a program would that has read it from the disk. */
const send = (
  { url }: Service,
  name: string,
  body: string | ReadableStream,
  { signal, encoding }: { signal?: AbortSignal; encoding?: string } = {},
) =>
  fetch(`${url}/api/v3/sandboxes?name=${name}`, {
    method: "POST",
    headers: {
      api_key: "special-key",
      "content-type": "application/json",
      ...(encoding && { "content-encoding": encoding }),
    },
    body,
    duplex: "half",
    ...(signal && { signal }),
  })

describe("sandbox files", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  const receiver = use(startReceiver)

  /** Waits until there is nothing besides the sandboxes and the template. Returns how many these are. */
  async function requireNothingLeft(): Promise<number> {
    const expected = 1 + (await service(petstore).listSandboxes()).value.length
    await until(() => sandboxDirectoriesOf(petstore).length === expected, "files of no sandbox are left")
    return expected
  }

  /** A sandbox with something in most tables, and a key of its own. */
  async function prepare(name: string) {
    await service(petstore).createSandbox({ body: { name, start: "2020-01-01T00:00:00Z", freeze: true } })
    const store = storeOf(petstore, name)
    const { value: key } = await store.createKey({ body: { name: "own", scopes: ["read:pets", "manage:webhooks"] } })
    const body = { name: "Zoë 🐢 \u2028", photoUrls: ["https://a.example/1"], tags: [{ name: "new" }] }
    const { value: pet } = await store.addPet({ body }, { headers: { "idempotency-key": "one" } })
    await store.uploadFile({
      params: { petId: pet.id },
      upload: new Blob([new Uint8Array(await makeImage("png"))], { type: "image/png" }),
    })
    await store.placeOrder({ body: { petId: 1 } })
    await store.createUser({ body: { username: "ada", password: "secret-word" } })
    await store.createWebhook({ body: { url: receiver.url, events: ["pet.created"] } })
    await inside(petstore, name).advanceClock({ body: { advance: "P1D" } })
    for (let n = 0; n < 3; n++) await storeOf(petstore, name, "free-key").getPetById({ params: { petId: 1 } })
    return { key: key.secret, petId: pet.id }
  }

  test("a sandbox with a file of nearly 16 MiB responds to every read, also with the file, to slow readers and to HEAD (slow)", async () => {
    await service(petstore).createSandbox({
      body: { name: "nearly-full", start: "2020-01-01T00:00:00Z", freeze: true },
    })
    const url = `${petstore.url}/s/nearly-full/api/v3`
    const headers = { api_key: "special-key", "content-type": "application/json" }
    const photoUrls = Array<string>(25).fill(`https://a.example/${"a".repeat(2_000)}`)
    const body = JSON.stringify(Array.from({ length: 4 }, () => ({ name: "Zoë", photoUrls })))
    for (let n = 0; n < 70; n++)
      assert.equal((await fetch(`${url}/pets/import`, { method: "POST", headers, body })).status, 200)
    const file = `${petstore.url}/api/v3/sandboxes/nearly-full/file`
    const head = await fetch(file, { method: "HEAD", headers })
    assert.equal(head.status, 200)

    const cancelled = await fetch(file, { headers })
    await cancelled.body?.cancel()
    const slow = await fetch(file, { headers })
    assert.equal(slow.status, 200)
    let received = 0
    for await (const piece of slow.body as ReadableStream<Uint8Array>) {
      received += piece.length
      if (received < 4 * 1024 * 1024) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const text = await (await fetch(file, { headers })).text()
    const length = Buffer.byteLength(text)
    assert.equal(received, length)
    assert.ok(length > 12 * 1024 * 1024 && length <= 16 * 1024 * 1024, `${length}`)
    assert.equal((await send(petstore, "from-nearly-full", text)).status, 201)

    for (const { base, name, endpoint } of everyOperation) {
      if (endpoint.method !== "GET" || endpoint.streams) continue
      const params = Object.fromEntries(
        pathParameters(endpoint.path).map((each) => [each, each === "name" ? "nearly-full" : 1]),
      )
      const path = base + filledPath(endpoint.path, params)
      const query = "limit" in queryOf(endpoint).properties ? "?limit=1000&tags=a" : ""
      const response = await fetch(`${petstore.url}/s/nearly-full${path}${query}`, { headers })
      await response.arrayBuffer()
      assert.ok(response.status < 500, `${name}: ${response.status}`)
    }
  })

  test("a file becomes the same state, also at another service: exported again, it is equal byte for byte (slow)", async () => {
    const { key, petId } = await prepare("saved")
    const file = await fileOf(petstore, "saved")
    await using other = await startPetstore()
    for (const at of [petstore, other]) {
      const made = await send(at, "restored", file)
      assert.equal(made.status, 201, await made.clone().text())
      assert.equal(await fileOf(at, "restored"), file)
    }
    const store = storeOf(other, "restored")
    const { value: pet } = await storeOf(other, "restored", key).getPetById({ params: { petId } })
    assert.equal(pet.name, "Zoë 🐢 \u2028")
    const photo = await fetch(pet.photoUrls[1] as string)
    assert.deepEqual([photo.status, new URL(photo.url).origin], [200, other.url])
    const { value: account } = await storeOf(other, "restored", "free-key").getOwnAccount()
    assert.deepEqual(
      account.limits.map(({ used }) => used),
      [3, 3],
    )
    assert.equal((await store.logIn({ body: { username: "ada", password: "secret-word" } })).status, 200)
    const body = { name: "Zoë 🐢 \u2028", photoUrls: ["https://a.example/1"], tags: [{ name: "new" }] }
    const replayed = await store.addPet({ body }, { headers: { "idempotency-key": "one" } })
    assert.equal(replayed.headers.get("idempotency-replayed"), "true")
    const { value: clock } = await inside(other, "restored").getClock()
    assert.deepEqual([clock.time, clock.frozen], ["2020-01-02T00:00:00.000Z", true])
    assert.equal((await store.addPet({ body: { name: "Next", photoUrls: [] } })).value.id, petId + 1)
  })

  test("a file may be written in other ways: with other lines and order, in chunks, beside other members (slow)", async () => {
    await prepare("written")
    const file = await fileOf(petstore, "written")
    const { data } = JSON.parse(file) as { data: SandboxData }
    const { clock, tables, images, ...head } = data
    const reversed = Object.fromEntries(Object.entries(tables).toReversed())
    const ways: Record<string, string> = {
      compact: JSON.stringify({ data }),
      pretty: JSON.stringify({ data }, undefined, 2),
      crlf: file.replaceAll("\n", "\r\n"),
      unended: file.trimEnd(),
      marked: `\uFEFF${file}`,
      reordered: JSON.stringify({ data: { images, tables: reversed, ...head, clock } }),
      beside: JSON.stringify({ idle: "PT2H", data, name: "beside" }),
    }
    for (const [name, body] of Object.entries(ways)) {
      const made = await send(petstore, name, body)
      assert.equal(made.status, 201, `${name}: ${await made.clone().text()}`)
      assert.equal(await fileOf(petstore, name), file, name)
    }
    const { value: beside } = await service(petstore).getSandbox({ params: { name: "beside" } })
    assert.equal(beside.idle, "PT2H")
    const chunks = Array.from({ length: 100 }, (_, n) =>
      file.slice((n * file.length) / 100, ((n + 1) * file.length) / 100),
    )
    assert.equal(chunks.join(""), file)
    const [one, other] = await Promise.all(
      ["one", "other"].map((name) =>
        send(petstore, name, ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk)))),
      ),
    )
    assert.deepEqual([one?.status, other?.status], [201, 201])
    assert.equal(await fileOf(petstore, "other"), file)
  })

  test("a file that breaks off, is compressed, or is one of too many leaves nothing, and is recorded as cut (slow)", async () => {
    await prepare("broken")
    const file = Buffer.from(await fileOf(petstore, "broken"))
    const before = await requireNothingLeft()
    const half = file.subarray(0, file.length / 2)
    const held = Array.from({ length: 4 }, (_, n) => {
      const abort = new AbortController()
      const body = new ReadableStream({ start: (controller) => controller.enqueue(half) })
      const sent = send(petstore, `held-${n}`, body, { signal: abort.signal }).catch(() => undefined)
      return { abort, sent }
    })
    await until(() => sandboxDirectoriesOf(petstore).length === before + 4, "not all four are being restored")
    const fifth = await send(petstore, "fifth", file.toString())
    assert.equal(fifth.status, 503)
    assert.match(await fifth.text(), /4 sandbox files are being restored/)
    for (const { abort, sent } of held) {
      abort.abort()
      await sent
    }
    await requireNothingLeft()
    const compressed = await send(petstore, "compressed", file.toString(), { encoding: "gzip" })
    assert.equal(compressed.status, 415)
    assert.equal((await send(petstore, "fifth", file.toString())).status, 201)
    const { value: recorded } = await service(petstore).listRequests({ query: { path: "/sandboxes", method: "POST" } })
    const [latest, ...earlier] = recorded.map(({ request: { body, isTruncated } }) => ({ body, isTruncated }))
    // Of what is cut the secrets cannot be told.
    assert.deepEqual(latest, { body: "***", isTruncated: true })
    assert.ok(earlier.some(({ body }) => body === '{"name":"broken","start":"2020-01-01T00:00:00Z","freeze":true}'))
  })

  test("webhooks of a restored sandbox are paused, and sign with their secret when they are active (slow)", async () => {
    await prepare("hooked")
    await using other = await startPetstore()
    await send(other, "hooked", await fileOf(petstore, "hooked"))
    const store = storeOf(other, "hooked")
    assert.equal((await store.getWebhook({ params: { webhookId: 1 } })).value.status, "paused")
    await store.updateWebhook({ params: { webhookId: 1 }, body: { status: "active" } })
    const before = receiver.received.length
    await store.addPet({ body: { name: "Heard", photoUrls: [] } })
    await receiver.until((all) => all.length > before)
    assert.match(String(receiver.received[before]?.headers["webhook-signature"]), /^v1,/)
    await inside(other, "hooked").forkSandbox({ body: { name: "copy" } })
    assert.equal((await storeOf(other, "copy").getWebhook({ params: { webhookId: 1 } })).status, 200)
  })

  test("a clock that runs continues at the time of the file, and a reset returns to its start (slow)", async () => {
    await service(petstore).createSandbox({ body: { name: "running", start: "2021-01-01T00:00:00Z" } })
    await inside(petstore, "running").advanceClock({ body: { advance: "P10D" } })
    const file = await fileOf(petstore, "running")
    petstore.clock.advance(3_600_000)
    await send(petstore, "continued", file)
    petstore.clock.advance(1_000)
    const continued = inside(petstore, "continued")
    assert.equal((await continued.getClock()).value.time, "2021-01-11T00:00:01.000Z")
    await continued.resetSandbox()
    assert.equal((await continued.getClock()).value.time, "2021-01-01T00:00:00.000Z")
  })

  test("a file that is damaged, cut off, of another version or made by hand is refused, and nothing is made (slow)", async () => {
    await prepare("good")
    const text = await fileOf(petstore, "good")
    const good = JSON.parse(text).data as SandboxData
    const refusalOf = async (body: string) => {
      const response = await send(petstore, "bad", body)
      const { code, detail } = (await response.json()) as { code: string; detail: string }
      return `${response.status} ${code} ${detail}`
    }
    const changed = (change: (data: SandboxData) => unknown) => {
      const data = structuredClone(good)
      change(data)
      return JSON.stringify({ data })
    }
    const rows = (data: SandboxData, name: string) => data.tables[name] as (string | number | null)[][]
    const row = (data: SandboxData, name: string) => rows(data, name)[1] as (string | number | null)[]
    const [image = ""] = Object.keys(good.images)
    const column = (name: string, of: string) => (good.tables[name]?.[0] ?? []).indexOf(of)
    const cases: [string, RegExp][] = [
      ["", /^400 malformed-json/],
      [text.slice(0, -100), /^400 malformed-json/],
      ["SQLite format 3\0", /^400 malformed-json/],
      ['{"data":{}}', /^422 invalid-body data.format/],
      [changed((data) => (data.format = "other")), /^422 invalid-body data.format must be petstore-sandbox/],
      [changed((data) => (data.version = 2)), /^422 invalid-body data.version/],
      [changed((data) => (data.schema = 25)), /^422 invalid-body data.schema is 25, and this service has/],
      [changed((data) => (data.sealingKey = "AAAA")), /^422 invalid-body data.sealingKey must be 32 bytes/],
      [changed((data) => (data.sealingKey = `${"A".repeat(43)}=`)), /^422 invalid-body data cannot be read: The key/],
      [changed((data) => (data.clock.time = 1e15)), /^422 invalid-body data.clock must be in the years/],
      [
        changed((data) => Object.assign(data.tables, { evil: [["a"]] })),
        /^422 invalid-body data.tables.evil is no table/,
      ],
      [changed((data) => delete data.tables.pets), /^422 invalid-body data.tables.pets is missing/],
      [
        changed((data) => rows(data, "pets")[0]?.push("more")),
        /^422 invalid-body data.tables.pets.0 must be the names/,
      ],
      [changed((data) => row(data, "pets").pop()), /^422 invalid-body data.tables.pets.1 must have \d+ values/],
      [
        changed((data) => (row(data, "pets")[column("pets", "json")] = "{")),
        /^422 invalid-body data.tables.pets.1 has no JSON/,
      ],
      [changed((data) => (row(data, "pets")[column("pets", "json")] = "{}")), /^422 invalid-body data.tables.pets.1 /],
      [
        changed((data) => (row(data, "pets")[column("pets", "id")] = 77)),
        /^422 invalid-body data.tables.pets.1 has another pet/,
      ],
      [
        changed((data) => (row(data, "orders")[column("orders", "json")] = "[]")),
        /^422 invalid-body data.tables.orders.1 /,
      ],
      [
        changed((data) => (row(data, "events")[column("events", "kind")] = "toString")),
        /^422 invalid-body data.tables.events.1 is of/,
      ],
      [
        changed((data) => (row(data, "keys")[column("keys", "name")] = null)),
        /^422 invalid-body data.tables.keys.1 cannot be stored: NOT NULL/,
      ],
      [
        changed((data) => (row(data, "keys")[column("keys", "created_at")] = "x")),
        /^422 invalid-body data.tables.keys.1 cannot be stored/,
      ],
      [
        changed((data) => (row(data, "keys")[column("keys", "account_id")] = 999)),
        /^422 invalid-body data.tables.keys.1 cannot be stored: refers/,
      ],
      [
        changed((data) => rows(data, "tags").push(row(data, "tags"))),
        /^422 invalid-body data.tables.tags.\d+ cannot be stored: UNIQUE/,
      ],
      [changed((data) => (row(data, "audit_head")[1] = 2 ** 53 - 1)), /^422 .* has no possible number in last/],
      [changed((data) => (row(data, "accounts")[0] = -1)), /^422 .* has no possible number in id/],
      [changed((data) => (row(data, "audit_head")[1] = -0.5)), /^422 invalid-body data.tables.audit_head/],
      [
        changed((data) => (row(data, "users")[column("users", "password_hash")] = "x")),
        /^422 .*users.1 has no Argon2 hash/,
      ],
      [changed((data) => (row(data, "users")[column("users", "json")] = "{}")), /^422 .*users.1 has no user/],
      ...[{ type: "text/html" }, { width: "640" }, { frames: 1.5 }, { bytes: [] }, { bytes: { original: 1 } }].map(
        (wrong): [string, RegExp] => [
          changed((data) => {
            const [of, json] = [row(data, "images"), column("images", "json")]
            of[json] = JSON.stringify({ ...JSON.parse(String(of[json])), ...wrong })
          }),
          /^422 .*images.1 has no image/,
        ],
      ),
      [
        changed((data) => (row(data, "limit_cells")[column("limit_cells", "offsets")] = "x")),
        /^422 .*limit_cells.1 has no list/,
      ],
      [
        changed((data) => ((rows(data, "counters").find(([name]) => name === "events") as (string | number)[])[1] = 0)),
        /^422 .*counters.1 cannot be stored: a number that is given next/,
      ],
      [
        changed((data) => rows(data, "audit_head").pop()),
        /^422 .*audit_head.1 cannot be stored: the table must have the rows 1/,
      ],
      [
        changed((data) => rows(data, "counters").pop()),
        /^422 .*counters.1 cannot be stored: the table must have the rows/,
      ],
      [changed((data) => rows(data, "origin").pop()), /^422 .*origin.1 cannot be stored: the table must have a row/],
      [changed((data) => (row(data, "origin")[0] = "production")), /^422 .*origin.1 is of another profile/],
      [changed((data) => delete data.images[image]), /^422 invalid-body data.images.\S+ is missing/],
      [changed((data) => (data.images["../../evil"] = {})), /^422 invalid-body data.images.\S+ is no key of an image/],
      [
        changed((data) => (data.images[image.replace(/.$/, (last) => (last === "0" ? "1" : "0"))] = {})),
        /^422 invalid-body data.images.\S+ belongs to no row/,
      ],
      [
        changed((data) => {
          const blob = column("images", "blob")
          const [, first = []] = rows(data, "images")
          data.images["../../evil"] = data.images[String(first[blob])] ?? {}
          delete data.images[String(first[blob])]
          first[blob] = "../../evil"
        }),
        /^422 invalid-body data.images.\S+evil is no key of an image/,
      ],
      [changed((data) => Object.assign(data.images[image] as object, { original: "AAAA" })), /is damaged/],
      [changed((data) => (data.tables.pets = malformed("DROP"))), /^422 invalid-body data.tables.pets/],
      [JSON.stringify({ data: good, seed: "empty" }), /^422 invalid-body seed must be absent/],
      [JSON.stringify({ data: good, name: "other" }), /^422 invalid-body name is not that in the query/],
    ]
    for (const [body, expected] of cases) assert.match(await refusalOf(body), expected)
    await requireNothingLeft()
    assert.equal((await send(petstore, "bad", text)).status, 201)

    const edited = changed((data) => {
      for (const pet of rows(data, "pets").slice(1)) {
        const json = column("pets", "json")
        pet[json] = String(pet[json]).replaceAll('"name":"', '"name":"Edited ')
      }
      for (const account of rows(data, "accounts").slice(1)) account[column("accounts", "name")] = "Edited"
    })
    assert.equal((await send(petstore, "edited", edited)).status, 201)
    const petId = Number(row(good, "pets")[column("pets", "id")])
    const { value } = await storeOf(petstore, "edited").getPetById({ params: { petId } })
    assert.match(value.name, /^Edited /)
    assert.equal((await storeOf(petstore, "edited").getOwnAccount()).value.name, "Edited")
  })

  test("a large sandbox is exported as it was when the export began; and makes it again; a tool does not receive it (slow)", async () => {
    await service(petstore).createSandbox({ body: { name: "large", seed: "empty", freeze: true } })
    const photoUrls = Array.from({ length: 30 }, (_, n) => `https://a.example/${n}/${"x".repeat(1900)}`)
    const pets = Array.from({ length: 4 }, (_, n) => ({ name: `Large ${n}`, photoUrls }))
    const store = storeOf(petstore, "large")
    await Promise.all(Array.from({ length: 75 }, () => store.importPets({ body: pets })))
    const headers = { api_key: "special-key" }
    const path = `${petstore.url}/api/v3/sandboxes/large/file`
    const slow = [1, 2, 3].map(() => fetch(path, { headers }))
    await Promise.all(slow)
    await store.addPet({ body: { name: "Later", photoUrls: [] } })
    const [first, cancelled, third] = await Promise.all(slow)
    await cancelled?.body?.cancel()
    for (const response of [first, third]) {
      const text = (await response?.text()) as string
      assert.ok(text.length > 16 * 1024 * 1024)
      assert.equal((JSON.parse(text) as { data: SandboxData }).data.tables.pets?.length, 301)
    }
    assert.equal((await fetch(path, { method: "HEAD", headers })).status, 200)
    assert.equal((await fetch(path, { headers: { ...headers, "if-none-match": "*" } })).status, 304)
    await requireNothingLeft()
    await using tools = await connectTools(`${petstore.url}/mcp?toolsets=sandbox`, withKey("special-key"))
    const called = await tools.callTool({ name: "exportSandbox", arguments: { name: "large" } })
    assert.match(textOf(called), /sandbox-too-large/)
    await requireNothingLeft()
    const refused = await send(petstore, "larger", JSON.stringify({ data: "x".repeat(17 * 1024 * 1024) }))
    assert.equal(refused.status, 413)
    const file = await fileOf(petstore, "large")
    assert.equal((await send(petstore, "again", file)).status, 201)
    assert.equal(await fileOf(petstore, "again"), file)
  })

  test("a key of a sandbox exports this one only, and a file of an unknown one is not found", async () => {
    await service(petstore).createSandbox({ body: { name: "mine" } })
    const mine = inside(petstore, "mine")
    assert.match((await mine.exportSandbox({ params: { name: "mine" } })).text, /^\{"data":/)
    await assert.rejects(mine.exportSandbox({ params: { name: "large" } }), refusedAs("sandbox-not-found"))
    await assert.rejects(fileOf(petstore, "unknown"), refusedAs("sandbox-not-found"))
  })
})
