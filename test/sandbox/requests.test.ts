import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { plain as plainText } from "../../src/cli/command/command.ts"
import { readEventStream } from "../../src/client/receiving/event-stream.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import type { RecordedRequest } from "../../src/parts/sandbox/journal/contract.ts"
import { Journals } from "../../src/parts/sandbox/journal/journal.ts"
import type { Exchanged, JournalEntry } from "../../src/parts/sandbox/model.ts"
import { petstoreCommand } from "../harness/command-line.ts"
import { serverUrl } from "../harness/database.ts"
import { emptyExchange } from "../harness/exchange.ts"
import { makeImage } from "../harness/images.ts"
import { impossible } from "../harness/impossible-requests.ts"
import { startPetstore } from "../harness/petstore.ts"
import { principalOf } from "../harness/principal.ts"
import { asker } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

describe("the journal of a sandbox", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore({ streams: { checkMs: 20 } })
  let count = 0

  /** A new sandbox, and requests to it. */
  function newSandbox() {
    const sandbox = createSandboxClient({ url: petstore.url, name: `journal-${++count}` })
    return { sandbox, ask: asker(sandbox) }
  }
  const rex = '{"name":"Rex","photoUrls":[]}'

  test("it has each request below the API with its response, also of unknown paths and methods, and no other", async () => {
    const { sandbox, ask } = newSandbox()
    await ask("/api/v3/pet/1?a=b", { headers: { "x-mine": "yes", ...Object.fromEntries([["constructor", "mine"]]) } })
    await ask("/api/v3/pet", { method: "POST", body: rex })
    await ask("/api/v3/nothing")
    await ask("/api/v3/pet/1", { method: "TRACK" }).catch(() => undefined)
    await ask("/api/v3/pet/1", { method: "OPTIONS" })
    await ask("/v2/pet/99")
    await ask("/api/v3/openapi.json", { headers: { "accept-encoding": "identity" } })
    await ask("/api/v3/openapi.json", { headers: { "accept-encoding": "gzip" } })
    await ask("/images/none")
    const recorded = await sandbox.requests()
    assert.deepEqual(
      recorded.map(({ method, path, status, operation, problem }) => [method, path, status, operation, problem]),
      [
        ["GET", "/api/v3/pet/1?a=b", 200, "getPetById", undefined],
        ["POST", "/api/v3/pet", 200, "addPet", undefined],
        ["GET", "/api/v3/nothing", 404, undefined, "not-found"],
        ["OPTIONS", "/api/v3/pet/1", 204, undefined, undefined],
        ["GET", "/v2/pet/99", 404, "getPetById", "pet-not-found"],
        ["GET", "/api/v3/openapi.json", 200, undefined, undefined],
        ["GET", "/api/v3/openapi.json", 200, undefined, undefined],
      ],
    )
    const [read, added] = recorded as [RecordedRequest, RecordedRequest]
    assert.deepEqual([read.caller, read.account, read.user], ["key 1", 1, undefined])
    const { "x-mine": own, constructor: alsoOwn } = read.request.headers
    assert.deepEqual([own, alsoOwn, read.request.body], ["yes", "mine", undefined])
    assert.deepEqual([added.request.body, JSON.parse(added.response.body ?? "").name], [rex, "Rex"])
    assert.equal(added.response.headers["content-type"], "application/json")
    assert.ok(added.durationMs >= 0 && Date.parse(added.time) > 0)
    assert.deepEqual(recorded.at(-2)?.response, { ...recorded.at(-2)?.response, body: "***", isTruncated: true })
    assert.equal(recorded.at(-1)?.response.body, undefined, "a compressed body is text")
  })

  test("a body has its first 16 KiB, without a part of a character", async () => {
    const { sandbox, ask } = newSandbox()
    const photoUrls = Array.from({ length: 12 }, (_, n) => `https://photos.example/${"a".repeat(2000)}${n}`)
    await ask("/api/v3/pet", { method: "POST", body: JSON.stringify({ name: "x", photoUrls }) })
    await ask("/api/v3/pet", { method: "POST", body: `[${"€".repeat(10_000)}` })
    const [added, refused] = (await sandbox.requests()) as [RecordedRequest, RecordedRequest]
    for (const { body, isTruncated } of [added.request, added.response])
      assert.deepEqual([body?.length, isTruncated], [16 * 1024, true])
    assert.equal(refused.request.body, `[${"€".repeat(5461)}`)
  })

  test("no credential appears in it, in any form of the body", async () => {
    const { sandbox, ask } = newSandbox()
    const secrets = ["very secret word", "very+secret+word", "very%20secret%20word", "special-key", "wrong-key"]
    const user = { username: "ada", password: secrets[0], email: "a@b.example" }
    const form = { "content-type": "application/x-www-form-urlencoded" }
    await ask("/api/v3/user", { method: "POST", body: JSON.stringify(user) })
    await ask("/api/v3/user", { method: "POST", body: JSON.stringify(user).replace("password", "p\\u0061ssword") })
    await ask("/api/v3/user", { method: "POST", body: `username=bob&p%61ssword=${secrets[1]}`, headers: form })
    const xml = `<User><username>cy</username><password>${secrets[0]}</password></User>`
    await ask("/api/v3/user", { method: "POST", body: xml, headers: { "content-type": "application/xml" } })
    const list = JSON.stringify(Array.from({ length: 300 }, (_, n) => ({ ...user, username: `user-${n}` })))
    await ask("/api/v3/user/createWithList", { method: "POST", body: list })
    await ask("/api/v3/user", { method: "POST", body: JSON.stringify(user).slice(0, -1) })
    const twice = `{"username":"dora","password":"${secrets[0]}","password":true}`
    await ask("/api/v3/user", { method: "POST", body: twice })
    await ask("/api/v3/user", { method: "POST", body: `${"[".repeat(8000)}"password"${"]".repeat(8000)}` })
    const login = await ask(`/api/v3/user/login?username=ada&password=${secrets[2]}`)
    const token: string = JSON.parse(await login.text())
    await ask("/api/v3/pet/1", { headers: { authorization: `Bearer ${token}`, api_key: "special-key" } })
    await ask("/api/v3/pet/1", { headers: { api_key: "wrong-key", cookie: "a=wrong-key" } })
    const made = await ask("/api/v3/keys", { method: "POST", body: '{"name":"own","scopes":["read:pets"]}' })
    const { secret, id } = (await made.json()) as { secret: string; id: number }
    await ask("/api/v3/pet/1", { headers: { api_key: secret } })
    const hook = await ask("/api/v3/webhooks", { method: "POST", body: '{"url":"http://127.0.0.1:9/"}' })
    const { secret: signing } = (await hook.json()) as { secret: string }

    const recorded = await sandbox.requests()
    const text = JSON.stringify(recorded)
    for (const each of [...secrets, token, secret, signing]) assert.ok(!text.includes(each), each)
    assert.ok(text.includes("ada") && text.includes("bob"), "what is not a credential stays")
    const callers = recorded
      .slice(-5)
      .map(({ request, caller }) => [request.headers.authorization, request.headers.api_key, caller])
    const session = recorded.at(-5)?.caller
    assert.match(String(session), /^session \d+$/)
    assert.deepEqual(callers[0], [session, "***", session])
    assert.deepEqual(callers[1], [undefined, "***", undefined])
    assert.deepEqual(callers[3], [undefined, `key ${id}`, `key ${id}`])
  })

  test("it is filtered by operation, status and time, newest first, in pages", async () => {
    const { sandbox, ask } = newSandbox()
    for (let n = 0; n < 7; n++) await ask(`/api/v3/pet/${n + 8}`)
    const { value: clock } = await sandbox.advanceClock({ body: { advance: "P1D" } })
    petstore.clock.advance(1000)
    await ask("/api/v3/pet/findByStatus")
    const paths = async (query: object) => (await sandbox.listRequests({ query })).value.map(({ path }) => path)
    assert.deepEqual(
      await paths({ operation: "getPetById", status: "200" }),
      [10, 9, 8].map((id) => `/api/v3/pet/${id}`),
    )
    assert.deepEqual((await paths({ status: "4xx" })).length, 4)
    assert.deepEqual((await paths({ operation: "getClock" })).length, 0)
    assert.deepEqual(
      (await sandbox.requests({ since: clock.time })).map(({ operation }) => operation),
      ["findPetsByStatus"],
    )
    const first = await sandbox.listRequests({ query: { status: "4xx", limit: 3 } })
    assert.deepEqual(
      first.value.map(({ path }) => path.slice(-2)),
      ["14", "13", "12"],
    )
    const next = await fetch(new URL(/<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "", sandbox.url), {
      headers: { api_key: "special-key" },
    })
    assert.deepEqual(
      ((await next.json()) as RecordedRequest[]).map(({ path }) => path),
      ["/api/v3/pet/11"],
    )
    await assert.rejects(sandbox.listRequests({ query: { status: "6xx" } }), { code: "invalid-parameter" })
  })

  test("a misspelt filter is refused with the nearest name, also of the stream; so is an id that cannot be one", async () => {
    const { ask } = newSandbox()
    await ask("/api/v3/pet/1")
    const detailOf = async (path: string, headers = {}) => {
      const response = await ask(`/api/v3/sandbox/requests${path}`, { headers })
      return `${response.status} ${((await response.json()) as { detail: string }).detail}`
    }
    assert.match(await detailOf("?operation=getPetByld"), /^400 .*did you mean getPetById\?/)
    assert.match(await detailOf("?operation=nope"), /^400 .*is not the operationId of an operation/)
    assert.match(await detailOf("?opertion=getPetById"), /^400 .*did you mean operation\?/)
    assert.match(await detailOf("/stream?aftr=1"), /^400 .*did you mean after\?/)
    assert.match(await detailOf("?status=4XX"), /^400 .*4xx/)
    for (const [filter, detail] of impossible)
      assert.match(await detailOf(`?${new URLSearchParams(filter)}`), new RegExp(`^400 .*${detail.source}`))
    for (const id of ["-5", "1.5", "0x1", "1e3", " -1"])
      assert.match(await detailOf("/stream", { "last-event-id": id }), /^400 .*Last-Event-ID/, id)
  })

  test("pages end early where many bytes are searched for credentials, and continue (slow)", async () => {
    const { sandbox, ask } = newSandbox()
    const body = `{"token":1,"x":${"[".repeat(3500)}${"]".repeat(3500)},"y":"${"z".repeat(8000)}"}`
    for (let n = 0; n < 300; n++) await ask("/api/v3/user", { method: "POST", body })
    const first = (await sandbox.listRequests({ query: { limit: 1000 } })).value
    assert.ok(first.length < 300 && first.length > 50, `${first.length} in a page`)
    const all = await sandbox.requests()
    assert.deepEqual(all.slice(-first.length).reverse(), first)
    assert.equal(new Set(all.map(({ id }) => id)).size, 300)
    assert.ok(all.every(({ request }) => request.body === "***"))
  })

  test("each sandbox has its own, which a reset empties and a fork does not copy; it needs the scope admin", async () => {
    const [one, other] = [newSandbox(), newSandbox()]
    await one.ask("/api/v3/pet/1")
    await other.ask("/api/v3/pet/2")
    const operations = async (sandbox: typeof one.sandbox) =>
      (await sandbox.requests()).map(({ operation }) => operation)
    await one.sandbox.forkSandbox({ body: { name: "journal-fork" } })
    assert.deepEqual(await operations(one.sandbox), ["getPetById", "forkSandbox"])
    assert.deepEqual(await operations(other.sandbox), ["getPetById"])
    assert.deepEqual(await operations(createSandboxClient({ url: petstore.url, name: "journal-fork" })), [])
    await one.sandbox.resetSandbox()
    assert.deepEqual(await operations(one.sandbox), ["resetSandbox"])
    await petstore.as("special-key").getPetById({ params: { petId: 3 } })
    const own = createSandboxClient({ url: petstore.url })
    assert.equal((await own.requests()).at(-1)?.path, "/api/v3/pet/3")
    await assert.rejects(createSandboxClient({ url: petstore.url, apiKey: "pro-key" }).listRequests(), {
      code: "forbidden",
    })
  })

  test("a response that a fault withheld is recorded with the fault", async () => {
    const { sandbox, ask } = newSandbox()
    await assert.rejects(ask("/api/v3/pet", { method: "POST", body: rex, headers: { prefer: "fault=lose" } }))
    await ask("/api/v3/pet/1", { headers: { prefer: "wait=0.001, code=pet-not-found" } })
    const [lost, refused] = (await sandbox.requests()) as [RecordedRequest, RecordedRequest]
    assert.deepEqual([lost.fault, lost.status, JSON.parse(lost.response.body ?? "").name], ["fault=lose", 200, "Rex"])
    assert.deepEqual([refused.fault, refused.problem], ["wait=0.001, code=pet-not-found", "pet-not-found"])
  })

  test("an upload and an event stream are recorded without their content (slow)", async () => {
    const { sandbox, ask } = newSandbox()
    const ending = new AbortController()
    const stream = await ask("/api/v3/events/stream", { signal: ending.signal })
    const body = new Blob([new Uint8Array(await makeImage("png"))], { type: "image/png" })
    await ask("/api/v3/pet/1/uploadImage", { method: "POST", body, headers: { "content-type": "image/png" } })
    assert.equal(stream.bodyUsed, false)
    ending.abort()
    let recorded: RecordedRequest[] = []
    while (recorded.length < 2) recorded = await sandbox.requests()
    assert.deepEqual(
      recorded.map(({ operation, request, response }) => [operation, request.body, typeof response.body]),
      [
        ["streamEvents", undefined, "undefined"],
        ["uploadFile", undefined, "string"],
      ],
    )
  })

  test("the stream has new requests, resumes after an id, and ends with its sandbox", async () => {
    const { sandbox, ask } = newSandbox()
    await ask("/api/v3/pet/1")
    async function follow(headers: Record<string, string> = {}) {
      const response = await ask("/api/v3/sandbox/requests/stream", { headers })
      assert.equal(response.status, 200)
      const messages = readEventStream(response.body as AsyncIterable<Uint8Array>)
      // The position. Fetch ends a body that nothing reads once its response is collected as garbage.
      await messages.next()
      return async () => {
        for (;;) {
          const { value, done } = await messages.next()
          if (done) return undefined
          const { data, id } = value
          if (data !== undefined) return { id, path: (JSON.parse(data) as RecordedRequest).path }
        }
      }
    }
    const [fresh, resumed] = [await follow(), await follow({ "last-event-id": "0" })]
    assert.deepEqual(await resumed(), { id: "1", path: "/api/v3/pet/1" })
    await ask("/api/v3/pet/2")
    assert.deepEqual([await fresh(), await resumed()], Array(2).fill({ id: "2", path: "/api/v3/pet/2" }))
    assert.equal((await ask("/api/v3/sandbox/requests/stream", { headers: { "last-event-id": "evt" } })).status, 400)
    const other = createSandboxClient({ url: petstore.url, name: "journal-base" })
    await other.deleteFaults()
    await sandbox.resetSandbox({ query: { from: "journal-base" } })
    while (await fresh());
  })

  test("petstore logs prints them, and follows new ones", async () => {
    const { sandbox, ask } = newSandbox()
    await ask("/api/v3/pet", { method: "POST", body: rex })
    await ask("/api/v3/pet/99")
    const plain = await petstoreCommand(sandbox.url, ["logs", "--bodies"])
    assert.match(
      plain.out,
      /^time +method +path +status +duration +operation +credential +problem\n[\d:.]{12} +POST +\/pet +200 +[\d.]+ ms +addPet +key 1\n {4}\{"name":"Rex"/,
    )
    assert.match(plain.out, /\n[\d:.]{12} +GET +\/pet\/99 +404 .* getPetById +key 1 +pet-not-found\n/)
    const positions = plain.out.split("\n").flatMap((line) => (line.startsWith(" ") ? [] : [line.search(/\/pet|path/)]))
    assert.deepEqual(new Set(positions.slice(0, -1)).size, 1)
    const filtered = await petstoreCommand(sandbox.url, ["logs", "--status", "4xx", "--json"])
    assert.deepEqual(
      filtered.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).id),
      [2],
    )
    const cleared = await petstoreCommand(sandbox.url, ["logs", "--clear"])
    assert.deepEqual([cleared.code, cleared.out], [0, ""])
    assert.deepEqual(await sandbox.requests(), [])
    await ask("/api/v3/pet/99")
    const interrupted = new AbortController()
    let out = ""
    const following = petstoreCommand(sandbox.url, ["logs", "--follow", "--operation", "getPetById"], {
      interrupted: interrupted.signal,
      terminal: {
        out(text) {
          out += text
          if (text.includes("/pet/3")) interrupted.abort()
        },
        err: () => {},
        redraw: () => {},
        ...{
          stdin: (async function* () {})(),
          paint: { out: plainText, err: plainText },
          width: undefined,
          isTerminal: false,
        },
      },
    })
    for (let n = 0; n < 3; n++) await ask("/api/v3/pet/findByStatus").then(() => ask(`/api/v3/pet/${n + 1}`))
    const { code } = await following
    const [head, ...rows] = out.trimEnd().split("\n")
    assert.match(head as string, /^time +method/)
    assert.deepEqual(
      rows.map((row) => row.match(/\/pet\/\w+/g)),
      [["/pet/99"], ["/pet/1"], ["/pet/2"], ["/pet/3"]],
    )
    assert.equal(code, 0)
  })
})

test("in production there is no journal", async () => {
  await using petstore = await startPetstore({
    env: { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example" },
  })
  assert.equal((await fetch(`${petstore.url}/api/v3/sandbox/requests`)).status, 404)
})

test("a journal is bounded in entries and bytes, and all together lose their oldest entries first", () => {
  const journals = new Journals({ entriesMax: 10, bytesMax: 27_000, allBytesMax: 46_000 })
  let now = 0
  const open = () => journals.open({ now: () => ++now })
  const exchanged = (bytes: number): Exchanged => ({ ...emptyExchange, requestBody: new Uint8Array(bytes) })
  const idsOf = (journal: ReturnType<typeof open>) => [...journal.newest(undefined)].map(({ id }) => id)
  const [one, two, three] = [open(), open(), open()]
  for (let n = 0; n < 25; n++) one.add(exchanged(0))
  assert.deepEqual(idsOf(one), [25, 24, 23, 22, 21, 20, 19, 18, 17, 16])
  assert.deepEqual(
    one.after(0, 3).map(({ id }) => id),
    [16, 17, 18],
  )
  for (let n = 0; n < 4; n++) two.add(exchanged(9_800))
  assert.deepEqual(idsOf(two), [4, 3])
  assert.equal(idsOf(one).length, 10)
  for (let n = 0; n < 2; n++) three.add(exchanged(9_800))
  assert.deepEqual([idsOf(one).at(-1), idsOf(two), idsOf(three)], [17, [4, 3], [2, 1]])
  three.add(exchanged(16_384))
  assert.deepEqual([idsOf(one).at(-1), idsOf(two), idsOf(three)], [17, [4, 3], [3]])
  two[Symbol.dispose]()
  two.add(exchanged(9_800))
  assert.deepEqual(idsOf(two), [], "a closed journal keeps nothing")
  for (let n = 0; n < 3; n++) one.add(exchanged(9_800))
  assert.deepEqual([idsOf(one), idsOf(three)], [[28, 27], [3]])
  three.clear()
  assert.deepEqual([idsOf(three), three.positionAfter().id], [[], 3])
})

test("a journal keeps a thousand requests, of 8 MiB, and all together keep 64 MiB (slow)", () => {
  const { caller } = principalOf(1)
  const large: Exchanged = {
    ...emptyExchange,
    facts: { ...emptyExchange.facts, caller },
    requestBody: new Uint8Array(16 * 1024),
  }
  const journals = new Journals()
  const fill = (each: Exchanged, count: number) => {
    const journal = journals.open({ now: () => 0 })
    for (let n = 0; n < count; n++) journal.add(each)
    return journal
  }
  const kept = (journal: ReturnType<typeof fill>) =>
    journal.newest(undefined).reduce((sum, { bytes }) => sum + bytes, 0)
  assert.equal(fill({ ...large, requestBody: Buffer.alloc(0) }, 1001).newest(undefined).length, 1000)
  const mebibyte = 1024 * 1024
  const ten = Array.from({ length: 10 }, () => fill(large, 600))
  const last = kept(ten[9] as ReturnType<typeof fill>)
  assert.ok(last > 7.9 * mebibyte && last <= 8 * mebibyte, String(last))
  const all = ten.reduce((sum, journal) => sum + kept(journal), 0)
  assert.ok(all > 63.9 * mebibyte && all <= 64 * mebibyte, String(all))
})

test("requests without a valid credential leave a fifth of the journals to the others", () => {
  const journals = new Journals({ entriesMax: 100, bytesMax: 400_000, allBytesMax: 1_000_000 })
  const [one, two, three] = [0, 0, 0].map(() => journals.open({ now: () => 0 }))
  const { caller } = principalOf(1)
  const identified: Partial<Exchanged> = { facts: { ...emptyExchange.facts, caller } }
  const add = (journal: typeof one, given: Partial<Exchanged>, count: number) => {
    for (let n = 0; n < count; n++) journal?.add({ ...emptyExchange, ...given })
  }
  const known = (journal: typeof one) => journal?.newest(undefined).filter(({ facts }) => facts.caller).length
  add(one, identified, 50)
  add(one, {}, 1000)
  assert.deepEqual([known(one), one?.newest(undefined).length], [20, 100])
  add(one, { requestBody: new Uint8Array(30_000) }, 50)
  assert.equal(known(one), 20, "nor can large bodies remove them")
  add(two, identified, 30)
  for (const journal of [three, two, one]) add(journal, { requestBody: new Uint8Array(30_000) }, 100)
  assert.deepEqual([known(one), known(two)], [20, 30], "nor those of other sandboxes")
  add(one, identified, 1000)
  assert.deepEqual([known(one), one?.positionAfter().id], [100, 2200])
})

test("headers count towards the bound (slow)", () => {
  const journal = new Journals().open({ now: () => 0 })
  for (let n = 0; n < 1000; n++)
    journal.add({ ...emptyExchange, requestHeaders: Array.from({ length: 10_000 }, (_, header) => `a${header}`) })
  const length = journal.newest(undefined).length
  assert.ok(length > 120 && length < 150, `${length} entries of 59 KB`)
})

test("entries of any size are read as they were added, and not at all once they were removed (slow)", () => {
  const journals = new Journals({ entriesMax: 50, bytesMax: 400_000, allBytesMax: 500_000 })
  const [one, two] = [journals.open({ now: () => 0 }), journals.open({ now: () => 0 })]
  const sizes = [0, 1, 900, 8_192, 8_194, 16_384, 16_385, 150_000]
  const added = new Map<JournalEntry, number>()
  for (let n = 0; n < 2_000; n++) {
    const size = sizes[(n * 7) % sizes.length] as number
    const journal = n % 3 === 0 ? two : one
    journal.add({
      ...emptyExchange,
      path: `/${n}/ü/${"p".repeat(n % 5 === 0 ? 66_000 : 0)}`,
      requestHeaders: ["a", "", "ü", String(n)],
      responseHeaders: [["b", String(n)], [], ["c", ""]],
      requestBody: Buffer.alloc(size, n % 256),
      responseBody: "€".repeat(size / 2),
    })
    added.set(journal.newest(undefined)[0] as JournalEntry, n)
  }
  const kept = new Set([...one.newest(undefined), ...two.newest(undefined)])
  assert.ok(kept.size > 10 && kept.size < 100, `${kept.size} entries`)
  for (const [entry, n] of added) {
    const read = entry.read()
    assert.equal(read !== undefined, kept.has(entry))
    if (!read) continue
    const size = sizes[(n * 7) % sizes.length] as number
    assert.equal(read.path.slice(0, 10).replace(/p+$/, ""), `/${n}/ü/`)
    assert.deepEqual(
      [read.requestHeaders, read.responseHeaders],
      [
        ["a", "", "ü", String(n)],
        ["b", String(n), "c", ""],
      ],
    )
    const { requestBody, responseBody } = read
    assert.deepEqual(requestBody?.bytes ?? Buffer.alloc(0), Buffer.alloc(Math.min(size, 16_384), n % 256))
    assert.equal(requestBody?.isCut ?? false, size > 16_384)
    const response = Buffer.from("€".repeat(size / 2))
    assert.ok(Buffer.from(responseBody?.bytes ?? []).equals(response.subarray(0, 16_384)), `${size} bytes`)
    assert.equal(responseBody?.isCut ?? false, response.length > 16_384)
  }
})
