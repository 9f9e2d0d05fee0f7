import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { readEventStream } from "../../../src/client/receiving/event-stream.ts"
import { streamsMax } from "../../../src/core/api/feeds/stream-limits.ts"
import { appoint, signedIn } from "../../harness/console.ts"
import { hostileTexts, requireAsText } from "../../harness/hostile-texts.ts"
import { person } from "../../harness/person.ts"
import { newPet } from "../../harness/samples.ts"
import { until } from "../../harness/until.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore({ streams: { checkMs: 20 } })
before(() => appoint(petstore))
const api = petstore.as("special-key")
const newest = async () => (await api.listEvents({ query: { sort: "-id", limit: 1 } })).value[0]?.id ?? ""

type Visitor = Awaited<ReturnType<typeof signedIn>>
const cookieOf = (visitor: Visitor) =>
  visitor
    .cookies()
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ")

/** The console's stream as a browser requests it. */
async function follow(visitor: Visitor, headers: Record<string, string> = {}) {
  const leave = new AbortController()
  const response = await fetch(`${petstore.url}/console/events/stream`, {
    headers: { accept: "text/event-stream", cookie: cookieOf(visitor), ...headers },
    signal: leave.signal,
  })
  const names: string[] = []
  let isOver = false
  if (response.status === 200)
    void (async () => {
      for await (const { data } of readEventStream(response.body as AsyncIterable<Uint8Array>))
        if (data !== undefined) names.push(JSON.parse(data).data.name)
    })()
      .catch(() => {})
      .finally(() => {
        isOver = true
      })
  return { status: response.status, names, isOver: () => isOver, leave: () => leave.abort() }
}

describe("events in the console", () => {
  test("are listed newest first, in pages, and link to their subjects", async () => {
    for (let n = 0; n < 30; n++) await newPet(api, { name: `Many ${n}` })
    const admin = await signedIn(petstore, "admin")
    const first = await admin.go("/console/events")
    assert.match(first.html, /Many 29<.*Many 28</s)
    assert.match(first.html, /<a href="\/console\/pets\/\d+">Many 29<\/a>/)
    assert.match(first.html, /data-live="\/console\/events\/stream"/)
    const next = /<a href="([^"]+)" rel="next"/.exec(first.html)?.[1] ?? ""
    const second = await admin.go(next)
    assert.match(second.html, /Many 4<.*Many 3</s)
    assert.doesNotMatch(second.html, /Many 5<|data-live/)
    assert.match((await admin.go("/console/events?cursor=17")).html, /role="alert">after must be the id of an event/)
    assert.match((await admin.go("/console")).html, /Latest events.*Many 29/s)
  })

  test("are filtered by kind among many others", async () => {
    const gone = await newPet(api, { name: "Deleted" })
    await api.deletePet({ params: { petId: gone } })
    for (let n = 0; n < 30; n++) await newPet(api, { name: `After ${n}` })
    const admin = await signedIn(petstore, "admin")
    const { html } = await admin.go("/console/events?kind=pet.deleted")
    assert.match(html, /<span class="clamp">Deleted<\/span><\/td>/)
    assert.doesNotMatch(html, /After \d/)
    assert.match((await admin.go("/console/events?kind=webhook.test")).html, /No events match/)
  })

  test("are streamed as they happen, and the stream resumes after a reconnect", async () => {
    const admin = await signedIn(petstore, "admin")
    const stream = await follow(admin)
    await newPet(api, { name: "Live" })
    await until(() => stream.names.includes("Live"), "nothing arrives")
    stream.leave()
    const last = await newest()
    await newPet(api, { name: "Meanwhile" })
    const again = await follow(admin, { "last-event-id": last })
    await until(() => again.names.length > 0, "nothing arrives")
    assert.deepEqual(again.names, ["Meanwhile"])
    again.leave()
  })

  test("stop immediately when the session or the role ends", async () => {
    const admin = await signedIn(petstore, "admin")
    const stream = await follow(admin)
    const token = admin.cookies().find(({ name }) => name === "petstore_console")?.value ?? ""
    await petstore.withToken(token).logOut()
    await until(stream.isOver, "the stream continues")
    assert.equal((await follow(admin)).status, 204)

    const lowered = await follow(await signedIn(petstore, "admin"))
    await api.grantRole({ params: { username: "user3", role: "customer" } })
    await until(lowered.isOver, "the stream continues")
    await appoint(petstore)
  })

  test("require the scope to read them, with the API's limit of concurrent streams", async () => {
    assert.equal((await follow(await signedIn(petstore, "staff"))).status, 204)
    assert.equal((await follow(person(petstore.url))).status, 204)
    const admin = await signedIn(petstore, "admin")
    const streams = []
    for (let n = 0; n < streamsMax.perAccount; n++) streams.push(await follow(admin))
    assert.deepEqual([...new Set(streams.map(({ status }) => status))], [200])
    assert.equal((await follow(admin)).status, 429)
    for (const { leave } of streams) leave()
  })
})

test("events and the audit log display stored and requested data as text (slow)", async () => {
  const admin = await signedIn(petstore, "admin")
  for (const text of hostileTexts) {
    await newPet(api, { name: text })
    for (const path of ["/events", "/"]) requireAsText((await admin.go(`/console${path}`)).html, text, path)
    for (const name of ["thing", "principal", "account", "since"]) {
      const path = `/console/audit?${new URLSearchParams({ [name]: text })}`
      requireAsText((await admin.go(path)).html, text, path)
    }
    const { html } = await admin.go(`/console/events?${new URLSearchParams({ kind: text, cursor: text })}`)
    assert.doesNotMatch(html, /<script>|<img src=x|<svg\/onload/)
  }
})

test("GET /events?sort=-id starts with the newest, and after continues with earlier ones", async () => {
  const { value: all } = await api.listEvents({ query: { limit: 1000 } })
  const down = all.map(({ id }) => id).reverse()
  const { value: first } = await api.listEvents({ query: { sort: "-id", limit: 3 } })
  const { value: second } = await api.listEvents({ query: { sort: "-id", limit: 3, after: first.at(-1)?.id ?? "" } })
  assert.deepEqual(
    [...first, ...second].map(({ id }) => id),
    down.slice(0, 6),
  )
})
