import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { Problem } from "../../kernel/problem.ts"
import type { ConsoleDeps } from "./console.ts"
import { consoleRoutes } from "./routes.ts"

/** The routes of the console of a service, or of one with sandboxes. */
function open(hasSandboxes: boolean) {
  const problem = new Problem("overloaded", "The service is overloaded", { retryAfter: 2 })
  const api = {
    invocables: [{ name: "streamEvents", endpoint: { method: "GET", path: "/events/stream", scope: "any" } }],
    ports: { publicUrl: () => "https://pets.example", policy: { sessionMs: 1 }, clock: { now: () => 0 } },
    toProblem: () => problem,
  }
  const router = consoleRoutes({
    api,
    about: { metrics: [] },
    cookies: {},
    findPerson: async () => undefined,
    samplePeople: [],
    sandboxes: hasSandboxes ? {} : undefined,
    receivers: undefined,
    knownKey: hasSandboxes ? "key" : undefined,
  } as unknown as ConsoleDeps)
  const resourceAt = (path: string) => {
    const found = router.find(path)
    return found && "resource" in found ? found.resource : undefined
  }
  return { resourceAt, route: (method: string, path: string) => resourceAt(path)?.routes.get(method) }
}

test("every route of the console is administrative, limited by address, and readable by no page of another site", async () => {
  const { route } = open(true)
  for (const [method, path] of [
    ["GET", "/console"],
    ["GET", "/console/"],
    ["GET", "/console/pets"],
    ["POST", "/console/pets"],
    ["GET", "/console/nothing"],
    ["GET", "/console/events/stream"],
    ["GET", "/console/sandbox/mine/requests/stream"],
  ] as const) {
    const { isAdministrative, admission, handle } = route(method, path) ?? {}
    assert.deepEqual([isAdministrative, admission], [true, "files"], path)
    const exchange = exchangeOf(path, { method })
    await handle?.(exchange)
    assert.equal(exchange.isReadableAnywhere, false, path)
  }
})

test("only pages that take files are uploads, and only pages with forms take forms", () => {
  const { route } = open(true)
  const isUpload = (method: string, path: string) => route(method, path)?.isUpload
  assert.deepEqual(
    {
      import: isUpload("POST", "/console/pets/import"),
      photos: isUpload("POST", "/console/pets/1/photos"),
      "import page": isUpload("GET", "/console/pets/import"),
      pets: isUpload("POST", "/console/pets") ?? false,
    },
    { import: true, photos: true, "import page": false, pets: false },
  )
  assert.equal(route("POST", "/console/audit"), undefined)
})

test("the trailing slash of the console leads to it, and its streams of requests exist in a sandbox only", async () => {
  const leading = await open(false).route("GET", "/console/")?.handle(exchangeOf("/console/"))
  assert.deepEqual(leading?.headers?.slice(0, 2), ["location", "/console"])
  const streams = ["/console/events/stream", "/console/requests/stream", "/console/sandbox/mine/requests/stream"]
  const found = (hasSandboxes: boolean) => streams.map((path) => open(hasSandboxes).resourceAt(path)?.path)
  assert.deepEqual(found(true), [streams[0], streams[1], "/console/sandbox/{name}/requests/stream"])
  assert.deepEqual(found(false), [streams[0], "/console/*", "/console/*"])
})

test("an error before authentication is a page that no page of another site reads", () => {
  const exchange = exchangeOf("/console")
  const response = open(true).route("GET", "/console")?.respondToError?.(exchange, new Error("busy"))
  assert.equal(exchange.isReadableAnywhere, false)
  assert.equal(response?.status, 503)
  assert.match(
    String(response?.body),
    /<p class="lead">The service is overloaded<\/p>\s*<p class="actions"><a href="\/console">/,
  )
})
