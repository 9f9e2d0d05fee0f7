import { createSandboxClient } from "../../../src/parts/sandbox/client/sandbox-client.ts"
import { goldenPages } from "../../harness/golden-pages.ts"
import { keySender } from "../../harness/send.ts"

/** The clock stands still, and a request has arrived before its response by the time that it really took. */
const arrival = [/20(25-12-31|26-01-01)[T ][\d:.]+(Z| UTC)/g, "TIME"] as const

/** A request that took long arrived some seconds ago. */
const age = [/\d+ seconds? ago/g, "AGO"] as const

/** Events are published in the background, which needs space. */
const size = [/[\d,]+ KiB/g, "SIZE"] as const

goldenPages(
  import.meta.dirname,
  "sandbox",
  async ({ visitor, petstore }) => {
    const admin = await visitor("admin")
    await admin.see("/console/sandbox")
    await admin.send({ action: "create", name: "not valid", seed: "initial" })
    await admin.send({ action: "create", name: "made", seed: "classic" })
    await admin.send({ action: "advance", advance: "PT1H" })
    await admin.send({ action: "freeze", freeze: "yes" })
    await admin.send({ action: "advance-to", to: "2030-01-31T12:00" })
    await admin.send({ action: "advance-to", to: "2029-01-31T12:00" })
    await admin.send({ action: "fork", name: "copy" })
    await admin.open("/console/sandbox/made")
    await admin.send({ action: "fork", name: "copy" })
    await admin.see("/console/sandbox/made/faults/new")
    await admin.send({ action: "save", choice: "other", fault: "code=999", times: "x" })
    const one = { choice: "code=503", operation: "getPetById", path: "/pet/*", times: "3", enabled: "yes" }
    await admin.send({ action: "save", ...one })
    await admin.open("/console/sandbox/made/faults/new")
    await admin.send({ action: "save", choice: "wait=2", operation: "placeOrder", share: "0.125", rank: "2" })
    await keySender(petstore, "")("GET", "/s/made/api/v3/pet/1")
    await admin.see("/console/sandbox/made/faults/2")
    await admin.see("/console/sandbox/made?fault=receiver-down-for-an-hour")
    await admin.send({ action: "apply", recipe: "receiver-down-for-an-hour" })
    const change = keySender(petstore, "/s/copy/api/v3")
    await change("DELETE", "/pet/9")
    await change("POST", "/pet", { name: "<Rex>", photoUrls: [] })
    await change("PUT", "/pet", { id: 1, name: "Tom", photoUrls: [] })
    for (const query of ["", "?with=made", "?with=nowhere"]) await admin.see(`/console/sandbox/copy/diff${query}`)
    await admin.see("/console/sandbox/nowhere/diff")
    await admin.open("/console/sandbox/made")
    await admin.send({ action: "faults", rules: "[{" })
    await admin.send({ action: "faults", rules: '[{"fault":"webhook=stale","match":{"event":"pet.created"}}]' })
    await admin.send({ action: "clear" })
    await admin.send({ action: "reset", seed: "shelter" })
    await admin.send({ action: "reset", seed: "shelter", "console-password": "password3" })
    await admin.send({ action: "delete" })
    await admin.see("/console/sandbox/made")
    await admin.open("/console/sandbox")
    await admin.send({ action: "look", name: "copy" })
    await admin.see("/console/sandbox")
  },
  { replaced: [size, arrival, age] },
)

goldenPages(
  import.meta.dirname,
  "requests",
  async ({ visitor, petstore }) => {
    const admin = await visitor("admin")
    await admin.see("/console/requests")
    await admin.see("/console/sandbox/seen/requests")
    const sandbox = createSandboxClient({ url: petstore.url, name: "seen" })
    const send = keySender(sandbox, "/api/v3")
    await send("GET", "/pet/99?a=<b>")
    await send("POST", "/pet", { name: "Rex", photoUrls: [] }, { prefer: "explain" })
    await send("POST", "/pet", { name: "" }, { prefer: "explain" })
    await sandbox.setFaults({ body: { rules: [{ match: { path: "/pet/1" }, fault: "code=503" }] } })
    await send("GET", "/pet/1", undefined, { prefer: "explain" })
    await send("PATCH", "/pet/2", { name: "Tom" }, { "content-type": "application/merge-patch+json" })
    await fetch(`${sandbox.url}/api/v3/nothing`)
    await admin.see("/console/sandbox/seen/requests")
    await admin.see("/console/sandbox/seen/requests?status=4xx&operation=addPet")
    await admin.see("/console/sandbox/seen/requests?operation=placeOrder")
    await admin.see("/console/sandbox/seen/requests?status=abc&operation=x")
    for (const id of [1, 2, 3, 4, 5, 6, 7]) await admin.see(`/console/sandbox/seen/requests/${id}`)
    for (const id of ["0", "x", "999"]) await admin.see(`/console/sandbox/seen/requests/${id}`)
    await admin.open("/console/sandbox/seen/requests/1")
    await admin.send({ action: "again" })
    await admin.open("/console/sandbox/seen/requests/2")
    await admin.send({ action: "repeat" })
    await admin.send({ action: "repeat", "console-confirmed": "yes" })
  },
  { replaced: [arrival, age] },
)
