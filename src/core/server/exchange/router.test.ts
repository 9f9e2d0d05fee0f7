import assert from "node:assert/strict"
import { test } from "node:test"
import type { HttpRoute } from "./exchange.ts"
import { createRouter, type Router } from "./router.ts"

const route: HttpRoute = { admission: "files", handle: () => undefined }

/** What a router finds: the path of the resource with the parameters, or `part`. */
function find(router: Router, path: string) {
  const found = router.find(path)
  if (found === undefined) return undefined
  return "enter" in found ? "part" : [found.resource.path, { ...found.params }]
}

test("a path has its methods, those of GET also for HEAD, and always OPTIONS", () => {
  const router = createRouter()
  router.add(["GET"], "/pet/:petId", route)
  router.add(["PUT", "DELETE"], "/pet/:petId", route)
  router.add(["POST"], "/pet", route)
  const allowOf = (path: string) => {
    const found = router.find(path)
    return found && "resource" in found ? [found.resource.allow, [...found.resource.routes.keys()]] : undefined
  }
  assert.deepEqual(allowOf("/pet/1"), ["GET, HEAD, PUT, DELETE, OPTIONS", ["GET", "HEAD", "PUT", "DELETE"]])
  assert.deepEqual(allowOf("/pet"), ["POST, OPTIONS", ["POST"]])
  assert.deepEqual(find(router, "/pet/a%20b"), ["/pet/{petId}", { petId: "a b" }])
  assert.equal(router.find("/pets"), undefined)
})

test("a parameter may be as long as a head", () => {
  const router = createRouter()
  router.add(["GET"], "/pet/:petId", route)
  const text = "x".repeat(16_384)
  assert.deepEqual(find(router, `/pet/${text}`), ["/pet/{petId}", { petId: text }])
  assert.equal(find(router, `/pet/${text}x`), undefined)
})

test("a page is what its route or its part says", async () => {
  const [router, part] = [createRouter(), createRouter()]
  router.add(["GET"], "/docs", { ...route, isPage: true })
  router.add(["POST"], "/docs", route)
  router.add(["GET"], "/mcp", route)
  router.addPart("/console", { load: async () => part, isPage: true })
  part.add(["GET"], "/console/pets", route)
  assert.deepEqual(["/docs", "/docs/", "/console", "/console/a", "/mcp", "/none"].map(router.isPage), [
    true,
    true,
    true,
    true,
    false,
    false,
  ])
  assert.deepEqual(
    (await router.table()).map(({ path }) => path),
    ["/docs", "/mcp", "/console/pets"],
  )
})

test("a part is loaded once, for its path and all below it, unless a more specific path is known", async () => {
  const router = createRouter()
  const part = createRouter()
  let loads = 0
  router.addPart("/console", {
    load: async () => {
      loads++
      return part
    },
  })
  router.add(["GET"], "/console/style.css", route)
  assert.deepEqual(
    ["/console", "/console/", "/console/a/b", "/console/style.css", "/consoles"].map((path) => find(router, path)),
    ["part", "part", "part", ["/console/style.css", {}], undefined],
  )
  for (const path of ["/console", "/console/a"]) {
    const found = router.find(path)
    assert.ok(found && "enter" in found)
    assert.equal(await found.enter(), part)
  }
  assert.equal(loads, 1)
})
