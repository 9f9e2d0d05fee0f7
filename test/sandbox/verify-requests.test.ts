import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createClient } from "../../src/client/client.ts"
import { api } from "../../src/core/domain/api.ts"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import type { RequestExpectation } from "../../src/parts/sandbox/journal/contract.ts"
import { impossible } from "../harness/impossible-requests.ts"
import { connectTools, contentOf, withKey } from "../harness/mcp.ts"
import { refusedAs } from "../harness/petstore.ts"
import { newPet } from "../harness/samples.ts"
import { asker } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

const clientFor = (url: string, key: string) => createClient(api, { url, headers: { api_key: key } })

describe("a journal that judges", () => {
  // Fewer than the verifications that wait at once, which are no load.
  const petstore = usePetstore({ load: { requestsMax: 32 } })
  let count = 0

  /** A new sandbox with four requests: two pets, an order with a key, and a pet that does not exist. */
  async function sandboxWithRequests() {
    const sandbox = createSandboxClient({ url: petstore.url, name: `judged-${++count}` })
    const admin = clientFor(sandbox.url, "special-key")
    const petId = await newPet(admin, { name: "Rex the first" })
    await newPet(admin, { name: "Bella" })
    await admin.placeOrder({ body: { petId }, idempotencyKey: "order-7" })
    await assert.rejects(admin.getPetById({ params: { petId: 999_999 } }), refusedAs("pet-not-found"))
    return { sandbox, admin, petId }
  }
  const refusal = async (
    running: Promise<unknown>,
  ): Promise<{ code: string; detail: string; errors: object[]; nearest: object[] }> =>
    running.then(
      () => assert.fail("it was not refused"),
      (error) => error.problem,
    )

  test("a verification names the first hundred requests that match, and counts all, and at most five that came nearest; forgetting them says so (slow)", async () => {
    const sandbox = createSandboxClient({ url: petstore.url, name: `judged-${++count}` })
    const admin = clientFor(sandbox.url, "special-key")
    for (let n = 0; n < 101; n++) await admin.listPets({ query: { limit: 1 } })
    const verification = { match: { path: "/pet", method: "GET" }, exactly: 101 }
    const { value: found } = await sandbox.verifyRequests({ body: verification })
    assert.deepEqual(found, { count: 101, ids: Array.from({ length: 100 }, (_, n) => n + 1) })
    const { nearest } = await refusal(sandbox.verifyRequests({ body: { match: { method: "PUT" } } }))
    assert.equal(nearest.length, 5)
    const { value: forgotten } = await sandbox.deleteRequests()
    assert.deepEqual(forgotten, { code: 200, type: "success", message: "The recorded requests are forgotten" })
  })

  test("filters by path, method, key, header and text combine, in any spelling of a path", async () => {
    const { sandbox } = await sandboxWithRequests()
    const idsOf = async (sought: object) => (await sandbox.requests(sought)).map(({ id }) => id)
    assert.deepEqual(await idsOf({ path: "/pet" }), [1, 2])
    assert.deepEqual(await idsOf({ path: "/api/v3/pet*" }), [1, 2, 4])
    assert.deepEqual(await idsOf({ path: "/pet*", method: "get" }), [4])
    assert.deepEqual(await idsOf({ header: "idempotency-key" }), [3])
    assert.deepEqual(await idsOf({ header: "Idempotency-Key: order-7" }), [3])
    assert.deepEqual(await idsOf({ header: "Idempotency-Key: order-8" }), [])
    assert.deepEqual(await idsOf({ text: "Rex the" }), [1])
    assert.deepEqual(await idsOf({ text: "Rex", method: "GET" }), [])
    assert.deepEqual(await idsOf({ key: 1, status: "4xx" }), [4])
    assert.deepEqual(await idsOf({ key: 2 }), [])
  })

  test("a page that examined much ends early with a Link to the rest, so that none is missed (slow)", async () => {
    const sandbox = createSandboxClient({ url: petstore.url, name: "paged" })
    const ask = asker(sandbox, "/api/v3")
    const send = (name: string) =>
      ask("/pet", {
        method: "POST",
        headers: { api_key: "special-key", "content-type": "application/json" },
        body: JSON.stringify({ name, photoUrls: Array.from({ length: 7 }, () => "x".repeat(2_000)) }),
      }).then((response) => response.text())
    for (let n = 0; n < 120; n++) await send(n % 30 === 0 ? "sought" : "other")
    const found = await sandbox.requests({ text: '"name":"sought"' })
    assert.deepEqual(
      found.map(({ id }) => id),
      [1, 31, 61, 91],
    )
  })

  test("a recorded request is a resource, and is gone once the journal is emptied, without its number being given again", async () => {
    const { sandbox, admin } = await sandboxWithRequests()
    const { value: one } = await sandbox.getRequest({ params: { id: 3 } })
    assert.deepEqual({ id: one.id, operation: one.operation }, { id: 3, operation: "placeOrder" })
    await assert.rejects(sandbox.getRequest({ params: { id: 99 } }), refusedAs("request-not-found"))
    await sandbox.deleteRequests()
    assert.deepEqual(await sandbox.requests(), [])
    await assert.rejects(sandbox.getRequest({ params: { id: 3 } }), refusedAs("request-not-found"))
    await newPet(admin)
    assert.deepEqual(
      (await sandbox.requests()).map(({ id }) => id),
      [5],
    )
    await assert.rejects(
      clientFor(sandbox.url, "free-key")
        .getInventory()
        .then(() =>
          createSandboxClient({ url: petstore.url, name: `judged-${count}`, apiKey: "free-key" }).deleteRequests(),
        ),
      refusedAs("forbidden"),
    )
  })

  test("counts and orders hold or are refused with what was found and what came nearest", async () => {
    const { sandbox, petId } = await sandboxWithRequests()
    const verify = async (body: RequestExpectation) => (await sandbox.verifyRequests({ body })).value
    assert.deepEqual(await verify({ match: { operation: "addPet" }, exactly: 2 }), { count: 2, ids: [1, 2] })
    assert.deepEqual(await verify({ match: { operation: "addPet" }, atLeast: 1, atMost: 2 }), { count: 2, ids: [1, 2] })
    assert.deepEqual(await verify({}), { count: 4, ids: [1, 2, 3, 4] })
    assert.deepEqual(await verify({ match: { method: "DELETE" }, atMost: 0 }), { count: 0, ids: [] })
    const inSequence = [{ operation: "addPet" }, { text: `"petId":${petId}` }, { status: 404 }]
    assert.deepEqual(await verify({ inSequence }), { count: 3, ids: [1, 3, 4] })

    const tooFew = await refusal(verify({ match: { operation: "placeOrder", header: "idempotency-key: order-8" } }))
    assert.equal(tooFew.detail, "Expected at least 1 matching request, found 0.")
    assert.deepEqual(tooFew.nearest[0], {
      id: 3,
      method: "POST",
      path: "/api/v3/store/order",
      status: 200,
      differs: ["header"],
    })
    const tooMany = await refusal(verify({ match: { path: "/pet*" }, exactly: 1 }))
    assert.equal(tooMany.detail, "Expected exactly 1 matching request, found 3.")
    const wrongOrder = await refusal(verify({ inSequence: inSequence.toReversed() }))
    assert.equal(wrongOrder.detail, "Expected 3 requests in this order, found the first 1 of them.")
    assert.equal(wrongOrder.code, "requests-unexpected")
  })

  test("an expectation that makes no sense is refused, with the nearest name", async () => {
    const { sandbox } = await sandboxWithRequests()
    for (const [body, detail] of [
      [{ matches: {} }, /did you mean match\?/],
      [{ match: { opertion: "addPet" } }, /did you mean operation\?/],
      [{ match: { operation: "addPets" } }, /did you mean addPet\?/],
      [{ inSequence: [{ operation: "nothing" }] }, /is not the operationId/],
      [{ exactly: 1, atLeast: 1 }, /must not be beside atLeast and atMost/],
      [{ atLeast: 3, atMost: 2 }, /must not be more than atMost/],
      [{ match: {}, inSequence: [{}] }, /must not be beside match/],
      [{ match: { path: "pet" } }, /must begin with a slash/],
      [{ match: { status: 99 } }, /must be a status/],
      ...impossible.flatMap(([match, detail]): [object, RegExp][] => [
        [{ match, exactly: 0 }, detail],
        [{ inSequence: [{}, match] }, detail],
      ]),
    ] as [object, RegExp][]) {
      const { code, detail: found } = await refusal(sandbox.verifyRequests({ body }))
      assert.equal(code, "invalid-body")
      assert.match(found, detail)
    }
  })

  test("a credential cannot be found by guessing it", async () => {
    const { sandbox, admin } = await sandboxWithRequests()
    await admin.logIn({ body: { username: "user1", password: "password1" } })
    for (const match of [{ text: "password1" }, { text: "special-key" }] as const)
      assert.deepEqual((await sandbox.verifyRequests({ body: { match, atMost: 0 } })).value.count, 0)
    assert.equal(await sandbox.verify({ match: { header: "api_key: key 1" } }), 4)
  })

  test("what is no longer kept makes exactly and atMost uncertain, and says so (slow)", async () => {
    const sandbox = createSandboxClient({ url: petstore.url, name: "crowded" })
    const admin = clientFor(sandbox.url, "special-key")
    for (let n = 0; n < 1_005; n++) await admin.getInventory()
    const expected: RequestExpectation = { match: { operation: "addPet" }, atMost: 0 }
    assert.match(
      (await refusal(sandbox.verifyRequests({ body: expected }))).detail,
      /earlier requests are no longer kept/,
    )
    assert.equal(await sandbox.verify({ match: { operation: "getInventory" } }), 1_000)
    await sandbox.deleteRequests()
    assert.equal(await sandbox.verify(expected), 0)
  })

  test("a verification waits for a request in real time, also while the clock is frozen, and in tools of language models (slow)", async () => {
    const sandbox = createSandboxClient({ url: petstore.url, name: "waiting" })
    const admin = clientFor(sandbox.url, "special-key")
    await sandbox.advanceClock({ body: { freeze: true } })
    await using tools = await connectTools(`${sandbox.url}/mcp?toolsets=all`, withKey("special-key"))
    const sought = { match: { operation: "addPet" }, within: "PT30S" }
    const checked = Promise.all([
      sandbox.verify(sought),
      tools.callTool({ name: "verifyRequests", arguments: sought }).then((result) => contentOf(result).count),
    ])
    await newPet(admin)
    assert.deepEqual(await checked, [1, 1])
    const startedAt = performance.now()
    assert.equal(await sandbox.verify({ ...sought, exactly: 1, within: "PT0.1S" }), 1)
    assert.ok(performance.now() - startedAt >= 99)
  })

  test("a reset and the deletion of its sandbox do not wait for a verification, and end it (slow)", async () => {
    const main = createSandboxClient({ url: petstore.url })
    const sandbox = createSandboxClient({ url: petstore.url, name: "ended" })
    await sandbox.resetSandbox()
    for (const end of [
      () => sandbox.resetSandbox(),
      () =>
        main
          .deleteSandbox({ params: { name: "ended" } })
          .catch((error) => assert.ok(refusedAs("sandbox-not-found")(error))),
    ]) {
      let isOver = false
      const body = { match: { operation: "addPet" }, within: "PT30S" }
      const checked = refusal(sandbox.verifyRequests({ body })).finally(() => {
        isOver = true
      })
      // The first may come before the verification.
      while (!isOver) await end()
      assert.equal((await checked).detail, "Expected at least 1 matching request, found 0.")
    }
  })

  test("one account waits for 64 verifications, which are no load, and no more; those of disconnected clients no longer count (slow)", async () => {
    const sandbox = createSandboxClient({ url: petstore.url, name: "full" })
    await sandbox.resetSandbox()
    const verify = (within: string, signal?: AbortSignal) =>
      refusal(sandbox.verifyRequests({ body: { match: { operation: "addPet" }, within } }, signal && { signal })).then(
        ({ code }) => code,
      )
    const ending = new AbortController()
    const waiting = Array.from({ length: 65 }, () => verify("PT30S", ending.signal).catch(() => "ended"))
    assert.equal(await Promise.race(waiting), "unavailable")
    assert.equal(await verify("PT0.01S"), "unavailable")
    ending.abort()
    await Promise.all(waiting)
    while ((await verify("PT0.01S")) !== "requests-unexpected");
  })

  test("the message of verify in a test says what was wanted, found and nearest", async () => {
    const { sandbox } = await sandboxWithRequests()
    await assert.rejects(sandbox.verify({ match: { operation: "placeOrder" }, exactly: 2 }), ({ message }: Error) => {
      assert.deepEqual(message.split("\n").slice(0, 4), [
        "Expected exactly 2 matching requests, found 1.",
        'Wanted: {"match":{"operation":"placeOrder"},"exactly":2}',
        "Nearest:",
        "  #4 GET /api/v3/pet/999999 404, differs in operation",
      ])
      return true
    })
  })
})
