import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { createSandboxClient } from "../../src/parts/sandbox/client/sandbox-client.ts"
import { experimentsAt } from "../../src/parts/sandbox/experiments/experiments.ts"
import { serverUrl } from "../harness/database.ts"
import { person } from "../harness/person.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const experiments = experimentsAt({ minute: 60, day: 1000 })
const skip = serverUrl && "named sandboxes need SQLite"

/** A browser at the page, without scripts. */
async function visitor(url = petstore.url) {
  const someone = person(url)
  const { status, html } = await someone.go("/try")
  assert.equal(status, 200)
  const run = (experiment: string) => someone.submitTo("/try", { experiment })
  return { html, run, sandbox: () => someone.cookies().find(({ name }) => name === "petstore_try")?.value ?? "" }
}

/** The words of each cell of the exchanges of the result. */
function exchangesOf(html: string): string[][] {
  const textOf = (markup: string) =>
    markup
      .replace(/<[^>]*>/g, " ")
      .replaceAll("&quot;", '"')
      .replace(/\s+/g, " ")
      .trim()
  const sides = [...html.matchAll(/<div class="sides">(.*?)<\/div>/gs)]
  return sides.map(([, all = ""]) =>
    [...all.matchAll(/<section>(.*?)<\/section>/gs)].map(([, cell = ""]) => textOf(cell)),
  )
}

describe("the page of experiments", { skip }, () => {
  test("the first page offers each experiment with its code, and makes no sandbox", async () => {
    const { html } = await visitor()
    for (const { id, name } of experiments) {
      assert.match(html, new RegExp(`<section id="${id}"[^>]*>\\s*<h2>${name}</h2>`))
      assert.match(html, new RegExp(`url=${petstore.url}/s/${id}/api/v3\\n`))
    }
    assert.doesNotMatch(html, /What happened/)
    assert.deepEqual((await createSandboxClient({ url: petstore.url }).listSandboxes()).value, [])
  })

  test("a response is lost: the client receives nothing, the journal has a 200, and the store one pet (slow)", async () => {
    const { run, sandbox } = await visitor()
    const { status, html } = await run("lose-a-response")
    assert.equal(status, 200)
    const [first, second] = exchangesOf(html)
    assert.match(first?.[0] ?? "", /^Sent POST \/pet idempotency-key: rex \{ .*Rex/)
    assert.equal(first?.[1], "Received Nothing: the connection was closed")
    assert.match(first?.[2] ?? "", /^In the journal 200 fault=lose [\d.]+ ms \{ .*"id": 11/)
    assert.match(second?.[1] ?? "", /^Received 200 idempotency-replayed: true \{ .*"id": 11/)
    assert.match(html, /<p>1 pet with the name Rex\.<\/p>/)
    assert.match(html, /2 attempts: lost, 200 · bodies equal · keys equal/)
    const { value } = await petstore.as("special-key").listPets({ query: { name: "Rex" } })
    assert.deepEqual(value, [])
    assert.match(html, new RegExp(`url=${petstore.url}/s/${sandbox()}/api/v3\\n`))
  })

  test("a client gives up, and its repetition adds no second pet (slow)", async () => {
    const { run } = await visitor()
    const { html } = await run("slow-down")
    const [first, second] = exchangesOf(html)
    assert.equal(first?.[1], "Received Nothing within 1 s")
    assert.match(first?.[2] ?? "", /^In the journal 200 wait=2 1?\d{3}[. ]/)
    assert.match(second?.[1] ?? "", /^Received 200 idempotency-replayed: true/)
    assert.match(html, /<p>1 pet with the name Rex\.<\/p>/)
  })

  test("the limit is reached, and after a minute of the sandbox the same request is accepted (slow)", async () => {
    const { run } = await visitor()
    for (let n = 0; n < 2; n++) {
      const { html } = await run("reach-the-limit")
      const [first, second] = exchangesOf(html)
      assert.match(first?.[1] ?? "", /^Received 429 .*retry-after: \d+ /)
      assert.match(second?.[1] ?? "", /^Received 200 /)
      assert.match(html, /<p>1 pet with the name Rex\.<\/p>/)
    }
  })

  test("a day later the same request adds a second pet (slow)", async () => {
    const { run, sandbox } = await visitor()
    const { html } = await run("a-day-later")
    assert.match(html, /<p>2 pets with the name Rex\.<\/p>/)
    assert.match(html, /2 attempts: 200, 200 .* waited 864\d\d\.\d s/)
    const { value } = await createSandboxClient({ url: petstore.url, name: sandbox() }).getClock()
    assert.equal(value.aheadSeconds, 86_460)
  })

  test("a visitor has one sandbox, another one a sandbox of their own, and two runs at once do not mix (slow)", async () => {
    const [one, other] = [await visitor(), await visitor()]
    await one.run("a-day-later")
    const kept = one.sandbox()
    const pages = await Promise.all([...Array(3).fill("a-day-later"), "lose-a-response"].map(one.run))
    const found = pages.map(({ html }) => /<p>(\d) pets? with the name Rex/.exec(html)?.[1])
    assert.deepEqual(found, ["2", "2", "2", "1"])
    assert.equal(one.sandbox(), kept)
    const many = await Promise.all(Array.from({ length: 9 }, () => one.run("lose-a-response")))
    const refused = many.filter(({ status }) => status === 503)
    assert.ok(refused.length > 0 && refused.length < 9)
    assert.match(refused[0]?.html ?? "", /role="alert">Other experiments are running\.</)
    await other.run("lose-a-response")
    assert.notEqual(other.sandbox(), kept)
    const { value } = await createSandboxClient({ url: petstore.url }).listSandboxes()
    for (const name of [kept, other.sandbox()]) {
      const sandbox = value.find((each) => each.name === name)
      assert.equal(sandbox?.idle, "PT1H")
    }
  })

  test("nothing but an experiment is run, and nothing for a page of another site", async () => {
    const someone = person(petstore.url)
    const post = (fields: Record<string, string>, headers?: Record<string, string>) =>
      someone.submitTo("/try", fields, headers)
    for (const experiment of ["", "none", "__proto__"])
      assert.equal((await post({ experiment })).status, 404, experiment)
    assert.equal((await post({ experiment: "x".repeat(2000) })).status, 413)
    assert.equal((await post({ experiment: "a-day-later" }, { origin: "https://elsewhere.example" })).status, 403)
    const cookie = "petstore_try=../../console"
    const init = { method: "POST", body: "experiment=lose-a-response", headers: { cookie, accept: "text/html" } }
    const { headers } = await fetch(`${petstore.url}/try`, init)
    assert.match(headers.get("set-cookie") ?? "", /^petstore_try=try-[0-9a-f]{12}; path=\/try; .*httponly$/)
  })
})

describe("visitors of a sandbox that others use", { skip }, () => {
  const shared = usePetstore({
    env: { PETSTORE_TRUSTED_PROXIES: "127.0.0.1", PETSTORE_PLAN_FREE: "3/minute, 1000/day" },
    sandboxes: { ofAddressMax: 1 },
  })
  const none = usePetstore({ env: { PETSTORE_PLAN_FREE: "unlimited" }, sandboxes: { max: 0 } })

  test("sandboxes count for the address of the visitor (slow)", async () => {
    const run = async (address: string) => {
      const headers = { origin: shared.url, "x-forwarded-for": address }
      return (await person(shared.url).submitTo("/try", { experiment: "a-day-later" }, headers)).status
    }
    assert.deepEqual([await run("203.0.113.7"), await run("203.0.113.7"), await run("203.0.113.8")], [200, 503, 200])
  })

  test("the limit is that of the Free plan, and without one there is nothing to reach", async () => {
    assert.match((await visitor(shared.url)).html, /A key is allowed 3 requests a minute/)
    assert.doesNotMatch((await visitor(none.url)).html, /id="reach-the-limit"/)
  })

  test("the limit of the Free plan is reached (slow)", async () => {
    const { run } = await visitor(shared.url)
    const [first, second] = exchangesOf((await run("reach-the-limit")).html)
    assert.match(first?.[1] ?? "", /^Received 429 /)
    assert.match(second?.[1] ?? "", /^Received 200 /)
  })

  test("the page says why an experiment is not run", async () => {
    const { run } = await visitor(none.url)
    const { status, html } = await run("lose-a-response")
    assert.equal(status, 503)
    assert.match(html, /<section id="lose-a-response".*?role="alert">There are 0 sandboxes/s)
  })
})
