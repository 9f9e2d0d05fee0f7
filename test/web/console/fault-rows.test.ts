import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createSandboxClient } from "../../../src/parts/sandbox/client/sandbox-client.ts"
import type { FaultRule } from "../../../src/parts/sandbox/faults/contract.ts"
import { appoint, signedIn } from "../../harness/console.ts"
import { serverUrl } from "../../harness/database.ts"
import { keySender } from "../../harness/send.ts"
import { before, usePetstore } from "../../harness/use.ts"

describe("the rows of fault rules", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  before(() => appoint(petstore))
  const send = keySender(petstore, "")

  test("a row keeps what it does not show exactly, and what is no number is refused at its row", async () => {
    const admin = await signedIn(petstore, "admin")
    await send("GET", "/s/exact/api/v3/pet/1")
    const sandbox = createSandboxClient({ url: petstore.url, name: "exact" })
    const rules = async () => (await sandbox.getFaults()).value.rules.map(({ count, ...rule }) => rule)
    const kept: FaultRule[] = [
      {},
      { match: { share: 0.333, seed: "7" }, fault: "wait=1" },
      { match: { share: 1e-7 }, fault: "wait=2" },
    ]
    await sandbox.setFaults({ body: { rules: kept } })
    const { html } = await admin.go("/console/sandbox/exact")
    const shown = [...html.matchAll(/name="((?:fault|share|order)-\d)"[^>]* value="([^"]*)"/g)].map(
      ([, ...pair]) => pair,
    )
    const fields = Object.fromEntries([...shown, ...[0, 1, 2].map((n) => [`enabled-${n}`, "yes"])])
    const save = async (changed: object) => {
      await admin.go("/console/sandbox/exact")
      return (await admin.submit({ action: "fault-rows", ...fields, ...changed })).html
    }
    await save({})
    assert.deepEqual(await rules(), kept)
    for (const changed of [{ "share-1": "half" }, { "times-1": "twice" }, { "times-1": "1e999" }]) {
      const [field] = Object.keys(changed).map((name) => name.replace("-1", ""))
      assert.match(await save(changed), new RegExp(`<p class="error">${field} must be an? `))
    }
    const refused = await save({ "fault-3": "code=999", "enabled-3": "yes" })
    assert.match(refused, /name="remove-3"/)
    assert.doesNotMatch(refused, /name="(?:remove|rule)-4"/)
    assert.match(await save({ "rule-1": "null" }), /In force: 3 fault rules/)
  })

  test("fault rules are rows: added, switched off, moved and removed, and what a row does not show is kept", async () => {
    const admin = await signedIn(petstore, "admin")
    await send("GET", "/s/rows/api/v3/pet/1")
    const sandbox = createSandboxClient({ url: petstore.url, name: "rows" })
    const rules = async () => (await sandbox.getFaults()).value.rules.map(({ count, ...rule }) => rule)
    const save = async (fields: Record<string, string>) => {
      await admin.go("/console/sandbox/rows")
      return (await admin.submit({ action: "fault-rows", ...fields })).html
    }
    const first = {
      "operation-0": "getPetById",
      "fault-0": "code=503",
      "share-0": "50",
      "order-0": "1",
      "enabled-0": "yes",
    }
    assert.match(await save(first), /In force: 1 fault rule\b/)
    assert.deepEqual(await rules(), [{ match: { operation: "getPetById", share: 0.5 }, fault: "code=503" }])

    const kept = { match: { event: "pet.created" as const, times: 2 }, fault: "webhook=forged" }
    await sandbox.setFaults({ body: { rules: [kept, { fault: "wait=0.1" }] } })
    const swapped = { "fault-0": "webhook=stale", "times-0": "2", "order-0": "2", "enabled-0": "yes" }
    await save({ ...swapped, "fault-1": "wait=0.1", "order-1": "1", "order-2": "3" })
    assert.deepEqual(await rules(), [
      { fault: "wait=0.1", enabled: false },
      { match: { event: "pet.created", times: 2 }, fault: "webhook=stale" },
    ])

    const refused = await save({ "fault-0": "code=999", "order-0": "1", "fault-1": "webhook=stale", "order-1": "2" })
    assert.match(refused, /name="fault-0"[^>]* value="code=999".*<p class="error">fault [^<]*code=999/s)
    assert.equal((await rules()).length, 2)
    await save({ "remove-0": "yes", "fault-1": "webhook=stale", "order-1": "1", "enabled-1": "yes" })
    assert.deepEqual(await rules(), [{ match: { event: "pet.created" }, fault: "webhook=stale" }])
  })
})
