import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createSandboxClient } from "../../../src/parts/sandbox/client/sandbox-client.ts"
import type { FaultRule } from "../../../src/parts/sandbox/faults/contract.ts"
import { recipes } from "../../../src/parts/sandbox/faults/recipes.ts"
import { appoint, signedIn } from "../../harness/console.ts"
import { serverUrl } from "../../harness/database.ts"
import { keySender } from "../../harness/send.ts"
import { before, usePetstore } from "../../harness/use.ts"

describe("fault rules in the console", { skip: serverUrl && "named sandboxes need SQLite" }, () => {
  const petstore = usePetstore()
  before(() => appoint(petstore))
  const send = keySender(petstore, "")

  /** A sandbox with these rules, its page, and an administrator. */
  async function openSandbox(name: string, ...given: FaultRule[]) {
    await send("GET", `/s/${name}/api/v3/pet/1`)
    const sandbox = createSandboxClient({ url: petstore.url, name })
    await sandbox.setFaults({ body: { rules: given } })
    const rules = async () => (await sandbox.getFaults()).value.rules
    const admin = await signedIn(petstore, "admin")
    const go = async (path = "") => (await admin.go(`/console/sandbox/${name}${path}`)).html
    /** Sends the form of a page with what it shows, changed. */
    const save = async (path: string, changed: Record<string, string>) => {
      const shown = shownIn(await go(path))
      return (await admin.submit({ ...shown, ...changed })).html
    }
    return { sandbox, rules, admin, go, save }
  }
  const statusOf = async (path: string) => (await send("GET", path)).status

  test("a form keeps everything of a rule that the API accepts, and its count unless the rule is changed", async () => {
    const given: FaultRule[] = [
      {},
      { match: { share: 0.333, seed: "7" }, fault: "wait=1" },
      { match: { share: 1e-7 }, fault: "code=503", enabled: false },
      { match: { operation: "getPetById", path: "/pet/*", key: 1, times: 2 }, fault: "wait=0.1, fault=lose" },
      { match: { event: "pet.created", webhook: 3, until: "2030-01-31T12:00:30.125Z" }, fault: "webhook=stale" },
    ]
    const { rules, save } = await openSandbox("kept", ...given)
    const all = given.map((rule) => ({ ...rule, count: 0 }))
    for (const n of [1, 2, 3, 4, 5]) {
      assert.match(await save(`/faults/${n}`, {}), /The fault rule was changed/)
      assert.deepEqual(await rules(), all)
    }
    const [, , , fourth, fifth] = given
    await save("/faults/5", { until: "2030-01-31T13:00", rank: "1" })
    const moved = { ...fifth, match: { ...fifth?.match, until: "2030-01-31T13:00:00Z" }, count: 0 }
    assert.deepEqual(await rules(), [moved, ...all.slice(0, 4)])
    await save("/faults/5", { choice: "any", times: "" })
    const { times: _, ...match } = fourth?.match ?? {}
    assert.deepEqual((await rules()).at(-1), { match, count: 0 })
  })

  test("a rule is added first, and what is refused stands at its field and changes nothing", async () => {
    const { rules, save } = await openSandbox("refused", { fault: "wait=1" })
    for (const [field, label, changed] of [
      ["choice", "Fault", { choice: "code=503", event: "pet.created" }],
      ["fault", "The fault", { choice: "other", fault: "code=999" }],
      ["fault", "The fault", { choice: "other", fault: "" }],
      ["operation", "Operation", { operation: "getPetByID" }],
      ["path", "Path", { path: "/petz" }],
      ["share", "Share of them, from 0 to 1", { share: "half" }],
      ["times", "Only the first so many", { times: "1e999" }],
      ["until", "Until", { until: "tomorrow" }],
    ] as const) {
      const html = await save("/faults/new", changed)
      assert.match(html, new RegExp(`<p class="error" id="save-${field}-error">${label} `), JSON.stringify(changed))
      assert.match(html, /<h1>Add a fault<\/h1>/)
      assert.equal((await rules()).length, 1)
    }
    assert.match(await save("/faults/new", { operation: "getPetById", share: "0.5" }), /The fault rule was added/)
    const added = { match: { operation: "getPetById", share: 0.5 }, fault: "code=503", count: 0 }
    assert.deepEqual(await rules(), [added, { fault: "wait=1", count: 0 }])
  })

  test("a rule is a sentence with all its conditions, and is switched off, on and removed on its line, while others continue", async () => {
    const { sandbox, rules, admin, go } = await openSandbox(
      "lines",
      { match: { operation: "getPetById", path: "/pet/*", key: 1, share: 0.2, seed: "7", times: 9 }, fault: "wait=0" },
      { match: { event: "pet.created", webhook: 3, until: "2030-01-31T12:00:00Z" }, fault: "webhook=stale" },
      { match: { times: 2 }, fault: "code=503" },
    )
    assert.equal(await statusOf("/s/lines/api/v3/store/inventory"), 503)
    const sentences = async () => [...(await go()).matchAll(/<li>(<span>.*?)\n/g)].map(([, one = ""]) => textOf(one))
    assert.deepEqual(await sentences(), [
      "getPetById · to /pet/* · with key 1 · wait=0 · 20 % · first 9 · seed 7 · affected 0",
      "message of pet.created · to webhook 3 · webhook=stale · until 2030-01-31 12:00:00 UTC · affected 0",
      "every request · 503 · first 2 · affected 1",
    ])
    const press = async (action: string, number: number) => {
      const line = (await go()).split("<li><span>")[number] ?? ""
      return (await admin.submit({ ...shownIn(line), action })).html
    }
    await press("off", 1)
    assert.match((await sentences())[0] ?? "", / · affected 0 · off$/)
    await press("on", 1)
    await press("remove", 2)
    assert.deepEqual(
      (await rules()).map(({ fault, enabled, count }) => ({ fault, enabled, count })),
      [
        { fault: "wait=0", enabled: undefined, count: 0 },
        { fault: "code=503", enabled: undefined, count: 1 },
      ],
    )
    assert.equal(await statusOf("/s/lines/api/v3/store/inventory"), 503)
    assert.match((await sentences())[1] ?? "", / · affected 2 · over$/)

    const old = (await go()).split("<li><span>")[2] ?? ""
    await sandbox.setFaults({ body: { rules: [{ fault: "wait=0" }] } })
    const meanwhile = await admin.submit({ ...shownIn(old), action: "remove" })
    assert.match(meanwhile.html, /The rule was changed or removed meanwhile/)
    assert.equal((await rules()).length, 1)
    assert.equal((await admin.go("/console/sandbox/lines/faults/2")).status, 404)
  })

  test("rules that several people add, end and write at once are all kept", async () => {
    const { sandbox, rules, admin, go } = await openSandbox("together", { fault: "wait=0" })
    const add = shownIn(await go("/faults/new"))
    const page = await go()
    const asJson = shownIn(page.slice(page.indexOf("Edit as JSON")))
    const paths = Array.from({ length: 5 }, (_, n) => `/pet/${n + 1}`)
    const at = "/console/sandbox/together"
    await Promise.all([
      ...paths.map((path) => admin.submitTo(`${at}/faults/new`, { ...add, path })),
      admin.submitTo(at, { ...asJson, action: "apply", recipe: "limit-reached" }),
    ])
    const found = (await rules()).map(({ match, fault }) => match?.path ?? fault)
    assert.deepEqual(found.toSorted(), [...paths, "code=429; retry-after=3", "wait=0"])
    const { html } = await admin.submitTo(at, { ...asJson, action: "faults", rules: "[]" })
    assert.match(html, /The rules were changed meanwhile/)
    assert.equal((await rules()).length, 7)
    await sandbox.deleteFaults()
  })

  test("a fault with a name is a button, which ends it then, and a link to it asks first", async () => {
    const { rules, admin, go } = await openSandbox("named", { fault: "wait=0" })
    for (const { name } of recipes) assert.match(await go(), new RegExp(`<button[^>]*>${name}</button>`))
    const question = await go("?fault=limit-reached")
    assert.match(question, /<h1>Apply “limit reached”\?<\/h1>.*the sandbox <strong>named<\/strong>/s)
    assert.equal((await rules()).length, 1)
    assert.match((await admin.submit({})).html, /<button[^>]*>End: limit reached<\/button>/)
    assert.deepEqual(
      (await rules()).map(({ fault }) => fault),
      ["code=429; retry-after=3", "wait=0"],
    )
    await admin.submit({ action: "end", recipe: "limit-reached" })
    assert.deepEqual(
      (await rules()).map(({ fault }) => fault),
      ["wait=0"],
    )
    for (const path of ["?fault=slow-network", "/faults/new", "/faults/1"])
      assert.equal((await admin.go(`/console/sandbox/nowhere${path}`)).status, 404, path)
    const unknown = await admin.go("/console/sandbox/named?fault=limit-reachd")
    assert.deepEqual([unknown.status, /Did you mean limit-reached\?/.test(unknown.html)], [400, true])
    assert.match(
      await go()
        .then(() => admin.go("/console/sandbox?fault=slow-network"))
        .then(({ html }) => html),
      /the service’s own sandbox/,
    )
  })
})

/** The fields of a form with their values, as a browser sends them. */
function shownIn(html: string): Record<string, string> {
  const main = /<main.*/s.exec(html)?.[0] ?? html
  const inputs = [...main.matchAll(/<input [^>]*>/g)].flatMap(([tag]) => {
    const [name, value] = [/ name="([^"]+)"/.exec(tag)?.[1], / value="([^"]*)"/.exec(tag)?.[1] ?? ""]
    return name === undefined || (tag.includes('type="checkbox"') && !tag.includes(" checked"))
      ? []
      : [[name, textOf(value)]]
  })
  const selects = [...main.matchAll(/<select [^>]*name="([^"]+)".*?<\/select>/gs)].map(([all, name]) => [
    name,
    textOf(/<option value="([^"]*)" selected>/.exec(all)?.[1] ?? ""),
  ])
  return Object.fromEntries([...inputs, ...selects])
}

const textOf = (markup: string): string =>
  markup
    .replaceAll("</span><span>", " · ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
