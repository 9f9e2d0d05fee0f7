import assert from "node:assert/strict"
import { test } from "node:test"
import { createContext, runInContext } from "node:vm"
import type { Site } from "../site.ts"
import { openReference } from "./reference.ts"

type Configuration = {
  servers: { url: string }[]
  operationsSorter: (one: object, other: object) => number
}

/** What the page of the reference passes to Scalar. */
async function startedWith(site: Partial<Site>) {
  const api = {
    updatePet: { method: "PUT", path: "/pet" },
    addPet: { method: "POST", path: "/pet" },
    placeOrder: { method: "POST", path: "/store/order" },
  }
  const { scripts } = openReference({ api, knownKeys: [], ...site } as unknown as Site)
  const [, start] = await scripts()
  const calls: unknown[][] = []
  const context = createContext({
    URL,
    location: { href: "https://pets.example/s/demo/docs" },
    Scalar: { createApiReference: (...parts: unknown[]) => calls.push(parts) },
  })
  const response = await start?.respond(false)
  runInContext(String(response?.body), context)
  const [call = []] = calls
  const [element, { servers, operationsSorter, ...configuration }] = call as [string, Configuration]
  return { element, url: servers[0]?.url, operationsSorter, configuration: JSON.parse(JSON.stringify(configuration)) }
}

const oauth2 = (clientId: string) => ({
  flows: {
    authorizationCode: {
      "x-scalar-client-id": clientId,
      "x-usePkce": "SHA-256",
      "x-scalar-credentials-location": "body",
    },
  },
})

test("the reference reports nothing to others, offers no agent, and is signed in with the known key", async () => {
  const knownKeys = [{ name: "special-key", secret: "special-key" }] as unknown as Site["knownKeys"]
  const { element, url, configuration } = await startedWith({ knownKeys, docsClientId: "docs" })
  assert.deepEqual([element, url], ["#app", "https://pets.example/s/demo/api/v3"])
  assert.deepEqual(configuration, {
    url: "api/v3/openapi.json",
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: "never",
    hideClientButton: true,
    defaultOpenAllTags: true,
    documentDownloadType: "json",
    authentication: {
      preferredSecurityScheme: "api_key",
      securitySchemes: { api_key: { value: "special-key" }, oauth2: oauth2("docs") },
    },
  })
})

test("without known keys and without an application, the reference has no credential", async () => {
  const { configuration } = await startedWith({})
  assert.deepEqual(configuration.authentication.securitySchemes, { oauth2: oauth2("") })
})

test("the classic operations are first, in their order; the others stay as they are", async () => {
  const { operationsSorter } = await startedWith({})
  const [update, add, order, list, remove] = [
    { method: "put", path: "/pet" },
    { method: "post", path: "/pet" },
    { method: "post", path: "/store/order" },
    { method: "get", path: "/pets" },
    { method: "delete", path: "/webhooks/{webhookId}" },
  ]
  const sorted = [list, order, remove, add, update].sort(operationsSorter as (one: unknown, other: unknown) => number)
  assert.deepEqual(
    sorted.map((one) => one?.path),
    ["/pet", "/pet", "/store/order", "/pets", "/webhooks/{webhookId}"],
  )
})
