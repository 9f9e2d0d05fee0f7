import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createClient } from "../../src/client/client.ts"
import { api } from "../../src/core/domain/api.ts"
import { createSandboxClient, type SandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import type { FaultRule } from "../../src/parts/sandbox/faults/contract.ts"
import type { HeldRequest } from "../../src/parts/sandbox/holds/contract.ts"
import { serverUrl } from "../harness/database.ts"
import { connectTools, contentOf, withKey } from "../harness/mcp.ts"
import { refusedAs } from "../harness/petstore.ts"
import { rawConnection } from "../harness/raw-http.ts"
import { asker } from "../harness/send.ts"
import { usePetstore } from "../harness/use.ts"

describe("held requests", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  // Fewer than the requests that are held at once, which are no load, and less time than an upload is held.
  const petstore = usePetstore({ load: { requestsMax: 32 }, pace: { uploadGraceMs: 250, checkMs: 10 } })
  let count = 0

  /** A new sandbox with these rules, and what sends requests to it. */
  async function sandboxWith(...rules: FaultRule[]) {
    const sandbox = createSandboxClient({ url: petstore.url, name: `held-${++count}` })
    await sandbox.setFaults({ body: { rules } })
    const store = createClient(api, { url: sandbox.url, headers: { api_key: "special-key" } })
    return { sandbox, store, ask: asker(sandbox) }
  }

  const hold = (match: NonNullable<FaultRule["match"]>, fault = "fault=hold"): FaultRule => ({ match, fault })
  const nameOf = async ({ store }: Awaited<ReturnType<typeof sandboxWith>>) =>
    (await store.getPetById({ params: { petId: 1 } })).value.name
  const rename = (name: string) => ({ params: { petId: 1 }, body: { name } })

  /** The requests that are held, once there are so many. */
  const heldIn = async (sandbox: SandboxClient, atLeast = 1): Promise<[HeldRequest, ...HeldRequest[]]> =>
    (await sandbox.holds({ within: "PT30S", atLeast })) as [HeldRequest, ...HeldRequest[]]

  test("a held request has no effect before it is released, and the journal says how long it was held", async () => {
    const held = await sandboxWith(hold({ operation: "patchPet", times: 1 }))
    const { sandbox, store } = held
    const patched = store.patchPet(rename("late"))
    const [one] = await heldIn(sandbox)
    const { since, until, requestId, ...shown } = one
    assert.deepEqual(shown, {
      id: 2,
      operation: "patchPet",
      method: "PATCH",
      path: "/api/v3/pet/1",
      caller: "key 1",
      where: "before",
    })
    assert.equal(Date.parse(until) - Date.parse(since), 30_000)
    assert.notEqual(await nameOf(held), "late")
    await store.patchPet(rename("first"))
    await sandbox.release(one.id)
    assert.equal((await patched).value.name, "late")
    assert.equal(await nameOf(held), "late")
    const { value } = await sandbox.getRequest({ params: { id: one.id } })
    assert.equal(value.fault, "fault=hold")
    assert.equal(value.response.headers["x-request-id"], requestId)
    assert.ok(value.heldMs !== undefined && value.heldMs > 0 && value.heldMs <= value.durationMs, String(value.heldMs))
    assert.deepEqual(await sandbox.holds(), [])
    await assert.rejects(sandbox.release(one.id), refusedAs("hold-not-found"))
  })

  test("a held response belongs to an operation that was carried out; a refusal is held, too", async () => {
    const held = await sandboxWith()
    const { sandbox, ask } = held
    const body = JSON.stringify({ name: "known" })
    const sent = [
      ask("/api/v3/pet/1", { method: "PATCH", body, headers: { prefer: "fault=hold-response" } }),
      ask("/v2/pet/999999", { headers: { prefer: "fault=hold-response" } }),
      ask("/api/v3/pet/1", { method: "PATCH", body, headers: { prefer: "fault=hold, code=503" } }),
    ]
    const all = await heldIn(sandbox, 3)
    assert.deepEqual(new Set(all.map(({ where }) => where)), new Set(["after"]))
    assert.equal(await nameOf(held), "known")
    for (const { id } of all) await sandbox.release(id)
    const responses = await Promise.all(sent)
    assert.deepEqual(
      responses.map(({ status, headers }) => [status, headers.get("preference-applied")]),
      [
        [200, "fault=hold-response"],
        [404, "fault=hold-response"],
        [503, "code=overloaded, fault=hold"],
      ],
    )
    for (const response of responses) assert.match(response.headers.get("server-timing") ?? "", /total;dur=/)
  })

  test("it waits in every interface: below v2, in a header's sandbox, an event stream, a file, and a call of a tool (slow)", async () => {
    const { sandbox, ask } = await sandboxWith(hold({ operation: "getPetById" }))
    const main = asker(petstore)
    await using tools = await connectTools(`${sandbox.url}/mcp?toolsets=all`, withKey("special-key"))
    const ended = new AbortController()
    const image = new Uint8Array([0xff, 0xd8, 0xff])
    const sent: (() => Promise<unknown>)[] = [
      () => ask("/v2/pet/1"),
      () => main("/api/v3/pet/1", { headers: { "petstore-sandbox": `held-${count}` } }),
      () => ask("/api/v3/events/stream", { headers: { prefer: "fault=hold" }, signal: ended.signal }),
      () =>
        ask("/api/v3/pet/1/uploadImage", {
          method: "POST",
          body: image,
          headers: { prefer: "fault=hold", "content-type": "application/octet-stream" },
        }),
      () => tools.callTool({ name: "getPetById", arguments: { petId: 1 } }),
    ]
    for (const send of sent) {
      const response = send()
      const [{ id, where }] = await heldIn(sandbox)
      assert.equal(where, "before")
      const { items } = contentOf<{ items: HeldRequest[] }>(await tools.callTool({ name: "listHolds", arguments: {} }))
      assert.deepEqual(
        items.map((one) => one.id),
        [id],
      )
      contentOf(await tools.callTool({ name: "releaseHold", arguments: { id } }))
      await response
    }
    ended.abort()
  })

  test("an upload that is held is not slow (slow)", async () => {
    const { sandbox } = await sandboxWith(hold({ operation: "uploadFile" }))
    using connection = await rawConnection(petstore.url)
    const path = `${new URL(sandbox.url).pathname}/api/v3/pet/1/uploadImage`
    connection.send(
      `POST ${path} HTTP/1.1\r\nHost: x\r\napi_key: special-key\r\nContent-Type: image/png\r\nContent-Length: 9\r\n\r\nbegin`,
    )
    const [{ id }] = await heldIn(sandbox)
    // It takes its time: a second one is not held.
    await sandbox.listHolds({ query: { within: "PT0.4S", atLeast: 2 } })
    connection.send("-end")
    await sandbox.release(id)
    const { status, body } = await connection.response()
    assert.deepEqual([status, JSON.parse(body).code], [415, "unsupported-image"])
  })

  test("a request whose client disconnects is no longer held, and is not carried out", async () => {
    const held = await sandboxWith(hold({ operation: "patchPet" }))
    const { sandbox, ask } = held
    const left = new AbortController()
    const patched = ask("/api/v3/pet/1", { method: "PATCH", body: '{"name":"gone"}', signal: left.signal })
    const [{ id }] = await heldIn(sandbox)
    left.abort()
    await assert.rejects(patched)
    await sandbox.verify({ match: { operation: "patchPet" }, within: "PT30S" })
    assert.deepEqual(await sandbox.holds(), [])
    assert.notEqual(await nameOf(held), "gone")
    const { value } = await sandbox.getRequest({ params: { id } })
    assert.deepEqual([value.status, value.fault], [undefined, "fault=hold"])
  })

  test("a reset does not wait for held requests: one before its operation is refused afterwards, and a response is sent", async () => {
    const held = await sandboxWith(
      hold({ operation: "patchPet" }),
      hold({ operation: "addPet" }, "fault=hold-response"),
    )
    const { sandbox, ask } = held
    const patched = ask("/api/v3/pet/1", { method: "PATCH", body: '{"name":"stale"}' })
    const added = ask("/api/v3/pet", { method: "POST", body: '{"name":"old","photoUrls":[]}' })
    await heldIn(sandbox, 2)
    await sandbox.resetSandbox()
    const refused = await patched
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "1"])
    assert.match(await refused.text(), /reset while the request was held\. Nothing was changed/)
    assert.equal((await added).status, 200)
    assert.deepEqual(await sandbox.holds(), [])
    assert.notEqual(await nameOf(held), "stale")
  })

  test("the deletion of its sandbox does not wait for a held request, which is carried out", async () => {
    const { sandbox, ask } = await sandboxWith(hold({ path: "/pet*" }))
    const before = ask("/api/v3/pet/1")
    await heldIn(sandbox)
    await createSandboxClient({ url: petstore.url }).deleteSandbox({ params: { name: `held-${count}` } })
    assert.equal((await before).status, 200)
  })

  test("a hundred are held and no more, and they are no load (slow)", async () => {
    const { sandbox, ask } = await sandboxWith(hold({ operation: "getInventory" }))
    const left = new AbortController()
    const sent = Array.from({ length: 101 }, () => ask("/api/v3/store/inventory", { signal: left.signal }))
    const refused = await Promise.race(sent)
    assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "5"])
    assert.match(await refused.text(), /nothing was done/)
    assert.equal((await heldIn(sandbox, 100)).length, 100)
    assert.equal((await ask("/api/v3/pet/1")).status, 200)
    left.abort()
    await Promise.allSettled(sent)
    await sandbox.verify({ match: { operation: "getInventory" }, atLeast: 101, within: "PT30S" })
    assert.deepEqual(await sandbox.holds(), [])
  })

  test("a wait for held requests ends when there are enough, and otherwise says in a test how many there are", async () => {
    const { sandbox, ask } = await sandboxWith(hold({ operation: "getInventory" }))
    const sent = [ask("/api/v3/store/inventory"), ask("/api/v3/store/inventory?a=1")]
    const two = await heldIn(sandbox, 2)
    await assert.rejects(sandbox.holds({ within: "PT0.05S", atLeast: 3 }), ({ message }: Error) => {
      assert.deepEqual(message.split("\n"), [
        "Expected at least 3 held within PT0.05S, found 2.",
        ...two.map(({ id, path }) => `  #${id} GET ${path} before`),
      ])
      return true
    })
    await assert.rejects(sandbox.holds({ within: "PT31S" }), /at most 30 seconds/)
    for (const { id } of two) await sandbox.release(id)
    for (const response of await Promise.all(sent)) assert.equal(response.status, 200)
  })
})
