import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { askFirst } from "./confirmation.ts"
import type { Console } from "./console.ts"

type Asks = { password?: true; always?: true }

/** An API key with the scope admin is the operator's, whose password is not asked for. */
const operator = { scopes: new Set(["admin"]), credential: { kind: "key" } }
const session = { scopes: new Set(), credential: { kind: "session", id: 1 }, user: { username: "ada" } }

/** Sends the form of an action that asks; what the page asks for, or undefined when the action may be done. */
async function send(asks: Asks | undefined, fields: Record<string, string>, isConfirmed = false, waitMs?: number) {
  const done: unknown[] = []
  const form = new URLSearchParams({ action: "go", name: "Rex", ...fields })
  const question = (_visit: unknown, asked: URLSearchParams) => {
    done.push(`${asked}`)
    return { title: "Go?", button: "Go" }
  }
  const console = {
    cookies: {
      isConfirmed: () => isConfirmed,
      confirm: (_exchange: unknown, token: string) => void done.push(["confirmed", token]),
    },
    api: { ports: { attempts: { admit: async () => waitMs } } },
  }
  const visit = {
    root: "/console",
    path: "/page",
    query: new URLSearchParams("a=b"),
    person: { username: "ada", role: "customer" },
    scopes: new Set(),
    mayGo: () => false,
    service: { now: () => 0, hasPublicStore: true },
  }
  const request = {
    exchange: exchangeOf("/console/page"),
    page: { asks: asks && { go: { ...asks, question } } },
    visit,
    person: { token: "t", caller: waitMs === undefined ? operator : session },
    form,
  } as unknown as Parameters<typeof askFirst>[1]
  const response = await askFirst(console as unknown as Console, request)
  const page = response && String(response.body)
  return {
    asked: page && [page.includes('name="console-password"'), response.status],
    alarm: page && /role="alert"[^>]*>([^<]*)/.exec(page)?.[1],
    done,
    form: `${form}`,
  }
}
const passed = { asked: undefined, alarm: undefined, done: [], form: "action=go&name=Rex" }
const asking = (needsPassword: boolean) => ({ ...passed, asked: [needsPassword, 200], done: ["action=go&name=Rex"] })

test("an action that does not ask is done at once", async () => {
  assert.deepEqual(await send(undefined, {}), passed)
  assert.deepEqual(await send({}, { action: "other" }), { ...passed, form: "action=other&name=Rex" })
  assert.deepEqual(await send({}, {}), passed)
})

test("an action asks for the password unless it was just given, or each time for a confirmation, and keeps its fields", async () => {
  const yes = { "console-confirmed": "yes" }
  assert.deepEqual(await send({ password: true }, {}), asking(true))
  assert.deepEqual(await send({ password: true }, yes), asking(true))
  assert.deepEqual(await send({ password: true }, {}, true), passed)
  assert.deepEqual(await send({ always: true }, {}), asking(false))
  assert.deepEqual(await send({ always: true }, {}, true), asking(false))
  assert.deepEqual(await send({ always: true }, yes), passed)
  assert.deepEqual(await send({ password: true, always: true }, yes), asking(true))
  assert.deepEqual(await send({ password: true, always: true }, {}, true), asking(false))
  assert.deepEqual(await send({ password: true, always: true }, yes, true), passed)
})

test("an action is done with its password, which counts for the next ones", async () => {
  const fields = { "console-password": "right", "console-confirmed": "yes" }
  assert.deepEqual(await send({ password: true }, fields), { ...passed, done: [["confirmed", "t"]] })
})

test("a password that may not be tried is asked for again, with how long to wait", async () => {
  const fields = { "console-password": "right", "console-confirmed": "yes" }
  assert.deepEqual(await send({ password: true }, fields, false, 61_000), {
    ...asking(true),
    asked: [true, 429],
    alarm: "Too many attempts to confirm the password. Try again in 2 minutes.",
  })
})
