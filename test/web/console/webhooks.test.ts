import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { appoint, passwordOf, people, signedIn } from "../../harness/console.ts"
import { hostileTexts, requireAsText } from "../../harness/hostile-texts.ts"
import { type Received, startReceiver } from "../../harness/receiver.ts"
import { newPet } from "../../harness/samples.ts"
import { before, use, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
const receiver = use(startReceiver, "one for each test")
before(() => appoint(petstore))
const special = petstore.as("special-key")

const secretPattern = /whsec_[\w+/=]{40,}/
const idIn = (html: string) => Number(/\/console\/webhooks\/(\d+)"/.exec(html)?.[1])

/** An admin with a webhook for new pets, created in the console. */
async function withWebhook(description = "The warehouse") {
  const visitor = await signedIn(petstore, "admin")
  await visitor.go("/console/webhooks/new")
  const draft = { url: `${receiver.url}/hook`, description, events: ["pet.created", "webhook.disabled"] }
  const shown = await visitor.submit({ action: "create", ...draft })
  const secret = secretPattern.exec(shown.html)?.[0] ?? ""
  assert.ok(shown.html.includes(`data-copy="${secret}"`))
  return { visitor, secret, at: `/console/webhooks/${idIn(shown.html)}` }
}

/** Adds a pet and waits for a total number of messages and their recorded outcomes. */
async function deliver(count: number): Promise<void> {
  await newPet(special, { name: "Rex" })
  await receiver.until(({ length }) => length >= count)
  await petstore.worker.idle()
}

describe("a webhook", () => {
  test("is created with a secret shown once, changed, given a new secret and deleted", async () => {
    const { visitor, secret, at } = await withWebhook()
    for (const path of ["/console/webhooks", at, `${at}/settings`]) {
      const { html } = await visitor.go(path)
      assert.ok(html.includes("The warehouse"), path)
      assert.doesNotMatch(html, secretPattern)
    }
    assert.match((await visitor.go(`${at}/settings`)).html, /value="pet.created" checked/)
    const url = `${receiver.url}/elsewhere`
    const saved = await visitor.submit({ action: "save", url, description: "", events: "*", ordered: "yes" })
    assert.match(saved.html, /The webhook was saved/)
    assert.ok(saved.html.includes(url))
    assert.doesNotMatch(saved.html, /The warehouse/)
    const { html } = await visitor.go(`${at}/settings`)
    for (const kept of ['value="*" checked', 'name="ordered" value="yes" checked']) assert.ok(html.includes(kept), kept)

    assert.match((await visitor.submit({ action: "rotate" })).html, /Confirm with your password/)
    const rotated = await visitor.submit({ "console-password": passwordOf(people.admin) })
    assert.match(rotated.html, /The webhook has a new secret/)
    assert.notEqual(secretPattern.exec(rotated.html)?.[0] ?? secret, secret)
    await visitor.go(`${at}/settings`)
    assert.match((await visitor.submit({ action: "delete" })).html, /The webhook was deleted/)
    assert.equal((await visitor.go(at)).status, 404)
  })

  test("that is invalid is refused with an error at each field", async () => {
    const visitor = await signedIn(petstore, "admin")
    await visitor.go("/console/webhooks/new")
    const { status, html } = await visitor.submit({ action: "create", url: "ftp://a.example", description: "kept" })
    assert.equal(status, 422)
    assert.match(html, /id="[\w-]+-events-error"/)
    assert.match(html, /value="kept"/)
    const refused = await visitor.submit({ action: "create", url: "https://10.0.0.1/", events: "*" })
    assert.match(refused.html, /id="[\w-]+-url-error">URL /)
  })

  test("is paused, queues its events, and sends them when it is resumed", async () => {
    const { visitor, at } = await withWebhook()
    await visitor.go(at)
    assert.match((await visitor.submit({ action: "pause" })).html, /badge waiting">paused/)
    await newPet(special, { name: "Rex" })
    await petstore.worker.idle()
    assert.equal(receiver.received.length, 0)
    const resumed = await visitor.submit({ action: "resume" })
    assert.match(resumed.html, /badge good">active/)
    await receiver.until(({ length }) => length === 1)
  })

  test("that is disabled shows the reason, and is enabled by a successful test", async () => {
    const { visitor, at } = await withWebhook()
    receiver.respond((_request, response) => void response.writeHead(410).end())
    await deliver(1)
    const { html } = await visitor.go(at)
    assert.match(html, /This webhook is disabled: the receiver responded with 410/)
    assert.doesNotMatch(html, />Pause</)
    receiver.respond((_request, response) => void response.writeHead(204).end())
    await visitor.submit({ action: "enable" })
    await receiver.until(({ length }) => length === 2)
    await petstore.worker.idle()
    assert.match((await visitor.go(at)).html, /badge good">active/)
  })

  test("sends a test event, whose delivery shows request and response (slow)", async () => {
    const { visitor, at } = await withWebhook()
    receiver.respond((_request, response) => void response.writeHead(202).end("thank you"))
    await visitor.go(at)
    const test = await visitor.submit({ action: "test" })
    assert.match(test.html, /A test event is being sent/)
    assert.match(test.url.pathname, /\/deliveries\/\d+$/)
    await receiver.until(({ length }) => length === 1)
    await petstore.worker.idle()
    const { html } = await visitor.go(test.url)
    const [{ headers, body }] = receiver.received as [Received]
    for (const shown of ["Delivered after 1 attempt", "<strong>202</strong>", "thank you", `${receiver.url}/hook`])
      assert.ok(html.includes(shown), shown)
    const sent = [...html.matchAll(/<dt>([\w-]+)<\/dt><dd><code>([^<]*)<\/code>/g)]
    assert.deepEqual(
      sent.map(([, name]) => name),
      ["host", "content-type", "user-agent", "content-length", "webhook-id", "webhook-timestamp"],
    )
    for (const [, name = "", value] of sent) assert.equal(value, headers[name], name)
    assert.match(html, /data-copy="host: [^"]+\nwebhook-id: evt_[^"]+" aria-label="Copy the headers"/)
    assert.match(html, /data-copy="[^"]+" aria-label="Copy the body"/)
    requireAsText(html, body, "the request")
  })

  test("is marked as failing after five minutes without a success, in the list and on its page", async () => {
    const { visitor, at } = await withWebhook()
    receiver.respond((_request, response) => void response.writeHead(503).end())
    await deliver(1)
    const isMarked = async (path: string) => {
      const { html } = await visitor.go(path)
      // The list has webhooks of other tests too.
      const part = path === at ? html : html.split("<tr ").find((row) => row.includes(`${at}"`))
      return /badge bad">failing/.test(part ?? "")
    }
    petstore.clock.advance(5 * 60_000 - 1000)
    for (const path of ["/console/webhooks", at]) assert.equal(await isMarked(path), false, path)
    petstore.clock.advance(1000)
    for (const path of ["/console/webhooks", at]) assert.equal(await isMarked(path), true, path)

    receiver.respond((_request, response) => void response.writeHead(204).end())
    await deliver(receiver.received.length + 1)
    for (const path of ["/console/webhooks", at]) assert.equal(await isMarked(path), false, path)
  })

  test("lists its deliveries by state, each with all attempts and the time until the next", async () => {
    const { visitor, at } = await withWebhook()
    receiver.respond((_request, response) => void response.writeHead(503).end("closed"))
    await deliver(1)
    petstore.clock.advance(6000)
    await petstore.worker.tick()
    await receiver.until(({ length }) => length === 2)
    await petstore.worker.idle()
    assert.match((await visitor.go(`${at}?state=delivered`)).html, /There are no delivered deliveries/)
    const { html } = await visitor.go(`${at}?state=pending`)
    assert.match(html, /Deliveries have been failing since/)
    const path = /href="([^"]+\/deliveries\/\d+)"/.exec(html)?.[1] ?? ""
    const shown = await visitor.go(path)
    assert.match(shown.html, /2 attempts so far\. The next attempt follows in \d minutes/)
    assert.equal(shown.html.match(/<strong>503<\/strong>/g)?.length, 2)
    assert.deepEqual(
      [...shown.html.matchAll(/Response to attempt (\d)/g)].map(([, n]) => n),
      ["2", "1"],
    )

    receiver.respond((_request, response) => void response.writeHead(204).end())
    assert.match((await visitor.submit({ action: "retry" })).html, /The delivery was scheduled for a retry/)
    await receiver.until(({ length }) => length === 3)
    await petstore.worker.idle()
    assert.match((await visitor.go(path)).html, /Delivered after 3 attempts/)
  })

  test("retries deliveries that failed since a time, once it is enabled", async () => {
    const { visitor, at } = await withWebhook()
    receiver.respond((_request, response) => void response.writeHead(410).end())
    await deliver(1)
    assert.match((await visitor.go(`${at}?state=failed`)).html, /badge bad">failed/)
    const refused = await visitor.submit({ action: "retry", since: "2026-01-01T00:00" })
    assert.match(refused.html, /role="alert">The webhook is disabled/)
    receiver.respond((_request, response) => void response.writeHead(204).end())
    await visitor.submit({ action: "enable" })
    await receiver.until(({ length }) => length === 2)
    await petstore.worker.idle()

    await visitor.go(at)
    assert.match((await visitor.submit({ action: "retry", since: "" })).html, /id="[\w-]+-since-error"/)
    const later = await visitor.submit({ action: "retry", since: "2030-01-01T00:00" })
    assert.match(later.html, /0 deliveries were scheduled/)
    const all = await visitor.submit({ action: "retry", since: "2026-01-01T00:00" })
    assert.match(all.html, /1 delivery was scheduled/)
    await receiver.until(({ length }) => length === 3)
  })
})

describe("the signature checker", () => {
  /** A user, and the fields of a received message. */
  async function withMessage() {
    const { visitor, secret, at } = await withWebhook()
    await deliver(1)
    const [{ headers, body }] = receiver.received as [Received]
    const [id, timestamp, signature] = ["id", "timestamp", "signature"].map((each) =>
      String(headers[`webhook-${each}`]),
    )
    const fields = { action: "check", id, timestamp, signature, body, secret } as Record<string, string>
    const check = async (changed: Record<string, string> = {}) => {
      await visitor.go("/console/webhooks/signatures")
      return (await visitor.submit({ ...fields, ...changed })).html
    }
    return { check, fields, at }
  }

  test("accepts a new message, also with a trailing line break", async () => {
    const { check, fields } = await withMessage()
    for (const body of [fields.body, `${fields.body}\r\n`])
      assert.match(await check({ body: body as string }), /This message is valid/)
  })

  test("explains failures: a stale timestamp, a wrong secret, a changed body", async () => {
    const { check, fields } = await withMessage()
    const { secret: other } = await withWebhook("Another")
    const body = String(fields.body)
    const wrong = [
      [{ secret: other }, /Wrong secret: this body was sent/],
      [{ body: body.replace("Rex", "Max") }, /The body was changed: the secret is correct/],
      [{ body: JSON.stringify(JSON.parse(body), null, 2), id: "mine" }, /The signature does not match/],
      [{ body: "{}", secret: other }, /A different body was sent with this id, and the secret is wrong, too/],
      [{ signature: "v1,AAAA" }, /no part of the form v1,BASE64/],
      [{ secret: "C2FVsBQIhrscChlQIMV" }, /does not start with whsec_/],
      [{ timestamp: "yesterday" }, /is not a number of seconds/],
    ] as const
    for (const [changed, says] of wrong) {
      const html = await check(changed)
      assert.match(html, says)
      assert.match(html, /Receivers must refuse this message/)
      assert.doesNotMatch(html, /This message is valid/)
    }
    petstore.clock.advance(20 * 60_000)
    const stale = await check()
    assert.match(stale, /The timestamp is stale: it is 20 minutes old/)
    assert.match(stale, /The signature is valid/)
    assert.match(stale, /Receivers must refuse this message/)
  })

  test("neither stores nor logs the pasted message", async () => {
    const { check, fields } = await withMessage()
    const { value: before } = await special.listAudit()
    const lines = petstore.lines.length
    await check({ id: "a-pasted-id" })
    assert.deepEqual((await special.listAudit()).value, before)
    const logged = petstore.lines.slice(lines).join()
    assert.ok(logged.includes("/console/webhooks/signatures"))
    for (const pasted of ["a-pasted-id", fields.secret ?? "", fields.signature ?? ""])
      assert.ok(!logged.includes(pasted))
  })
})

test("a user without manage:webhooks cannot use the forms of webhooks", async () => {
  const { at } = await withWebhook()
  for (const role of ["customer", "staff"] as const) {
    const visitor = await signedIn(petstore, role)
    await visitor.go("/console/consents")
    for (const [path, action] of [
      ["/console/webhooks/new", "create"],
      [at, "pause"],
      [`${at}/settings`, "delete"],
      ["/console/webhooks/signatures", "check"],
    ] as const)
      assert.equal((await visitor.submitTo(path, { action, url: receiver.url, events: "*" })).status, 404, path)
  }
})

test("pages display descriptions of webhooks and responses of receivers as text (slow)", async () => {
  for (const text of hostileTexts) {
    const { visitor, at } = await withWebhook(text)
    receiver.respond((_request, response) => void response.writeHead(500).end(text))
    const count = receiver.received.length + 1
    await newPet(special, { name: text })
    await receiver.until(({ length }) => length >= count)
    await petstore.worker.idle()
    const { html } = await visitor.go(at)
    requireAsText(html, text, at)
    const delivery = /href="([^"]+\/deliveries\/\d+)"/.exec(html)?.[1] ?? ""
    for (const path of ["/console/webhooks", `${at}/settings`, delivery])
      requireAsText((await visitor.go(path)).html, text, path)
    requireAsText((await visitor.go(delivery)).html, JSON.stringify(text).slice(1, -1), "the request")
    await visitor.go("/console/webhooks/signatures")
    const pasted = { id: text, timestamp: text, signature: text, body: text, secret: text }
    requireAsText((await visitor.submit({ action: "check", ...pasted })).html, text, "the checker")
  }
})
