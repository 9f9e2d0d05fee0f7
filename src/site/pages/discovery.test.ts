import assert from "node:assert/strict"
import { test } from "node:test"
import type { Description } from "../../api/descriptions/descriptions.ts"
import { type DiscoveryDeps, discoveryPages } from "./discovery.ts"

const described = (path: string): Description => ({
  path,
  mediaType: "application/json",
  title: `Title of ${path}`,
  readers: "programs",
  choices: {},
  write: async () => "",
})

/** The response at a path of a service with these descriptions. */
function respond(path: string, paths: readonly string[], more: Partial<DiscoveryDeps> = {}, query = "") {
  const pages = discoveryPages({
    descriptions: paths.map(described),
    publicUrl: () => "https://pets.example/shop",
    now: () => Date.UTC(2026, 0, 1),
    securityContact: undefined,
    ...more,
  })
  return pages.find((page) => page.path === path)?.respond({ params: {}, query, acceptsGzip: false })
}
const text = async (...parameters: Parameters<typeof respond>) => String((await respond(...parameters))?.body)

test("the catalog has the versions of the API that have a description", async () => {
  const anchors = async (...paths: string[]) => {
    const { linkset } = JSON.parse(await text("/.well-known/api-catalog", paths)) as {
      linkset: { anchor: string; "service-desc": { href: string }[] }[]
    }
    return linkset.map(({ anchor, "service-desc": descriptions }) => [anchor, ...descriptions.map(({ href }) => href)])
  }
  const base = "https://pets.example/shop"
  assert.deepEqual(await anchors(), [])
  assert.deepEqual(await anchors("/api/v3/openapi.json"), [[`${base}/api/v3`, `${base}/api/v3/openapi.json`]])
  assert.deepEqual(await anchors("/v2/swagger.json", "/api/v3/a.json", "/api/v3/b.json", "/api/v30/c.json"), [
    [`${base}/api/v3`, `${base}/api/v3/a.json`, `${base}/api/v3/b.json`],
    [`${base}/v2`, `${base}/v2/swagger.json`],
  ])
})

test("usual addresses of a description lead to it, with their query, and without one to the classic operations", async () => {
  const location = async (path: string, paths: string[], query?: string) => {
    const response = await respond(path, paths, {}, query)
    return [response?.status, response?.headers]
  }
  const paths = ["/api/v3/openapi.json", "/v2/swagger.json"]
  assert.deepEqual(await location("/openapi.json", paths), [308, ["location", "./api/v3/openapi.json"]])
  assert.deepEqual(await location("/swagger.json", paths, "a=b"), [308, ["location", "./v2/swagger.json?a=b"]])
  assert.deepEqual(await location("/swagger.yaml", paths), [308, ["location", "./api/v3/openapi.classic.json"]])
})

test("crawlers may read the descriptions below the path of the service, and no operations", async () => {
  assert.equal(
    await text("/robots.txt", ["/api/v3/openapi.json"]),
    `User-agent: *
Allow: /shop/api/v3/openapi.json
Disallow: /shop/api/v3/
Disallow: /shop/v2/
Disallow: /shop/console
Disallow: /shop/oauth
Disallow: /shop/s/
`,
  )
})

test("a service with a contact has a security.txt for 180 days", async () => {
  assert.equal(await respond("/.well-known/security.txt", []), undefined)
  assert.equal(
    await text("/.well-known/security.txt", [], { securityContact: "mailto:a@pets.example" }),
    `Contact: mailto:a@pets.example
Expires: 2026-06-30T00:00:00Z
Canonical: https://pets.example/shop/.well-known/security.txt
Preferred-Languages: en
`,
  )
})
