import assert from "node:assert/strict"
import { type TestContext, test } from "node:test"
import { manualClock } from "../../../test/harness/clock.ts"
import { keyRequests } from "./issuer-requests.ts"

const issuer = "https://issuer.example/tenant/"
const [oauth, openid, keys, moved] = [
  "https://issuer.example/.well-known/oauth-authorization-server/tenant",
  "https://issuer.example/tenant/.well-known/openid-configuration",
  "https://keys.example/a",
  "https://keys.example/b",
]

/** Responses by address, as JSON; 404 elsewhere. Requests are listed in order. */
function issuerOf(t: TestContext, responses: Record<string, unknown>) {
  const requests: string[] = []
  const options: (RequestInit | undefined)[] = []
  // Mocks of one method are restored in the order in which they were made.
  t.mock.restoreAll()
  t.mock.method(globalThis, "fetch", async (address: string, init?: RequestInit) => {
    requests.push(address)
    options.push(init)
    return address in responses ? Response.json(responses[address]) : new Response("", { status: 404 })
  })
  const clock = manualClock()
  const stopping = new AbortController()
  const ask = keyRequests(issuer, clock, stopping.signal)
  const asked = async (hasFailed = false) => {
    requests.length = 0
    await ask(hasFailed)
    return [...requests]
  }
  return { clock, stopping, ask, asked, options, responses }
}

const metadata = (uri: unknown, of = issuer) => ({ issuer: of, jwks_uri: uri })
const empty = { keys: [] }

test("metadata is at either of its two addresses, and names its issuer and the keys", async (t) => {
  for (const [responses, requests] of [
    [{ [oauth]: metadata(keys), [openid]: metadata(moved) }, [oauth, keys]],
    [{ [openid]: metadata(keys) }, [oauth, openid, keys]],
    [{ [oauth]: metadata(moved, "https://other.example"), [openid]: metadata(keys) }, [oauth, openid, keys]],
    [{ [oauth]: metadata(1), [openid]: metadata(keys) }, [oauth, openid, keys]],
  ] as const)
    assert.deepEqual(await issuerOf(t, { ...responses, [keys]: empty }).asked(), requests)
  await assert.rejects(issuerOf(t, { [oauth]: metadata(keys, "x") }).ask(false), {
    message: `${issuer} publishes no metadata that names it and its keys`,
  })
  await assert.rejects(issuerOf(t, { [oauth]: metadata(keys) }).ask(false), {
    message: `the request for the key set of ${issuer} failed with status 404`,
  })
})

test("metadata is requested again after an hour, and after a failure", async (t) => {
  const { clock, asked, responses } = issuerOf(t, { [oauth]: metadata(keys), [keys]: empty, [moved]: empty })
  assert.deepEqual(await asked(), [oauth, keys])
  clock.advance(60 * 60_000 - 1)
  assert.deepEqual(await asked(), [keys])
  responses[oauth] = metadata(moved)
  clock.advance(1)
  assert.deepEqual(await asked(), [oauth, moved])
  assert.deepEqual(await asked(), [moved])
  assert.deepEqual(await asked(true), [oauth, moved])
})

test("while metadata is unavailable, the known address is used for less than a day", async (t) => {
  const { clock, ask, asked, responses } = issuerOf(t, { [oauth]: metadata(keys), [keys]: empty })
  await asked()
  delete responses[oauth]
  clock.advance(86_399_999)
  assert.deepEqual(await asked(), [oauth, openid, keys])
  clock.advance(1)
  await assert.rejects(ask(false), /publishes no metadata/)
})

test("requests follow no redirect, and end when the service stops", async (t) => {
  const { asked, options, stopping } = issuerOf(t, { [oauth]: metadata(keys), [keys]: empty })
  await asked()
  stopping.abort()
  assert.deepEqual(
    options.map((init) => ({ redirect: init?.redirect, isAborted: init?.signal?.aborted })),
    [
      { redirect: "error", isAborted: true },
      { redirect: "error", isAborted: true },
    ],
  )
})
