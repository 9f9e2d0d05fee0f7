import assert from "node:assert/strict"
import { execFile, spawnSync } from "node:child_process"
import { test } from "node:test"
import { promisify } from "node:util"
import { problems } from "../../src/core/domain/problems/problems.ts"
import { serverUrl } from "../harness/database.ts"
import { usePetstore } from "../harness/use.ts"

const run = promisify(execFile)
const curlIsHere = spawnSync("curl", ["--version"]).status === 0
const browserAccepts = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

const petstore = usePetstore()

const get = (path: string, accept = browserAccepts) => fetch(petstore.url + path, { headers: { accept } })

test("the commands on the home page work unchanged", {
  skip: !curlIsHere && "NO curl on this machine",
}, async () => {
  const page = await (await get("/")).text()
  const commands = [...page.matchAll(/<pre[^>]*>([\s\S]*?)<\/pre>/g)].map(([, text = ""]) => textOf(text))
  const perform = async (command = "") =>
    JSON.parse((await run("sh", ["-ec", command.replace("curl", "curl -sf")])).stdout)
  const added = await perform(commands[0])
  assert.equal(added.name, "Rex")
  assert.deepEqual((await perform(commands[1]))[0], added)
  assert.match(await (await get("/")).text(), new RegExp(`data-pet="${added.id}"[^]*?>Rex<`))
  assert.notEqual((await perform(commands[0])).id, added.id)
})

test("every public page and file has a validator and is not sent again to a browser that has it, plain and compressed (slow)", async () => {
  const script = /assets\/[\w.-]+\.js/.exec(await (await get("/docs")).text())?.[0]
  assert.ok(script)
  const documents = ["/api/v3/openapi.json"]
  const pages = ["/", "/pets/1", "/problems", "/problems/not-found", "/docs", "/favicon.svg", `/${script}`]
  for (const path of [...pages, ...documents])
    for (const encoding of ["identity", "gzip"]) {
      const ask = (tag?: string) =>
        fetch(petstore.url + path, {
          headers: { accept: browserAccepts, "accept-encoding": encoding, ...(tag && { "if-none-match": tag }) },
        })
      const { status, headers } = await ask()
      const etag = headers.get("etag") ?? ""
      assert.match(etag, /^"\w+"$/, path)
      assert.equal(status, 200)
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const unchanged = await ask(tag)
        assert.equal(unchanged.status, 304, `${path} ${tag}`)
        assert.equal(await unchanged.text(), "")
        assert.deepEqual(
          ["etag", "cache-control", "vary"].map((name) => unchanged.headers.get(name)),
          ["etag", "cache-control", "vary"].map((name) => headers.get(name)),
        )
        assert.equal(unchanged.headers.get("content-encoding"), null)
      }
      assert.equal((await ask('"other"')).status, 200, path)
    }
})

test("the icon of the store is there, also in a named sandbox", {
  skip: serverUrl && "named sandboxes need SQLite",
}, async () => {
  await fetch(`${petstore.url}/s/icons/api/v3/pet/1`, { headers: { api_key: "special-key" } })
  for (const path of ["/", "/s/icons/"]) {
    const [, icon = ""] = /<link rel="icon" href="([^"]+)"/.exec(await (await get(path)).text()) ?? []
    const { status, headers } = await fetch(new URL(icon, petstore.url + path))
    assert.deepEqual([status, headers.get("content-type")], [200, "image/svg+xml"], path)
  }
})

test("pages of a person and failures have no validator", async () => {
  const signIn = await get("/console/sign-in")
  assert.deepEqual([signIn.headers.get("etag"), signIn.headers.get("cache-control")], [null, "no-store"])
  for (const path of ["/problems/none", "/assets/none.js"])
    assert.equal((await get(path)).headers.get("etag"), null, path)
})

test("the type of every problem is the address of its page", async () => {
  for (const [code, { title }] of Object.entries(problems)) {
    const response = await get(`/problems/${code}`)
    const page = await response.text()
    assert.equal(response.status, 200)
    assert.ok(page.includes(`<h1>${title}</h1>`) && page.includes(`<code>${code}</code>`), code)
  }
})

test("the list of problems shows their codes, by status and then by code, and a filter finds them by status, code or title", async () => {
  const listed = async (query: string) =>
    [...(await (await get(`/problems${query}`)).text()).matchAll(/<li><b>(\d+)<\/b>.*<code>([a-z-]+)<\/code><p>/g)].map(
      ([, status, code]) => `${status} ${code}`,
    )
  const all = Object.entries(problems).map(([code, { status }]) => `${status} ${code}`)
  assert.deepEqual(await listed(""), all.toSorted())
  assert.deepEqual(await listed("?q=PET-NOT"), all.filter((one) => one.includes("pet-not")).toSorted())
  assert.deepEqual(await listed("?q=413"), all.filter((one) => one.startsWith("413")).toSorted())
  assert.deepEqual(await listed("?q=none-such"), [])
})

test("pages allow only their own scripts, no foreign resources and no framing", async () => {
  for (const path of [
    "/",
    "/problems",
    "/problems/not-found",
    "/nowhere",
    "/docs",
    "/console/sign-in",
    "/oauth/auth",
  ]) {
    const policy = (await get(path)).headers.get("content-security-policy") ?? ""
    assert.match(policy, /^default-src 'none'; /, path)
    assert.match(policy, /frame-ancestors 'none'/, path)
    assert.doesNotMatch(policy, /script-src (?!'self')|\*|https?:|unsafe-eval/, path)
    if (path !== "/docs") assert.doesNotMatch(policy, /unsafe-inline/, path)
    if (/sign-in|oauth/.test(path)) assert.doesNotMatch(policy, /script-src/, path)
  }
})

test("all pages have the same header and style sheet; where a person signs in to an application, the header has no links", async () => {
  const first = await frameOf("/")
  for (const path of ["/problems", "/problems/not-found", "/nowhere", "/console/sign-in"])
    assert.deepEqual(await frameOf(path), first, path)
  assert.equal((await frameOf("/docs")).header, first.header)
  const ofApplications = [await frameOf("/oauth/auth"), await frameOf("/oauth/interaction/x")]
  for (const { style, header } of ofApplications) {
    assert.equal(style, first.style)
    assert.doesNotMatch(header, /<a (?!class="home")/)
  }
})

async function frameOf(path: string) {
  const response = await get(path)
  const page = await response.text()
  const [style = ""] = /style-src [^;]+/.exec(response.headers.get("content-security-policy") ?? "") ?? []
  const [header = ""] = /<header>.*?(<\/nav>|<\/header>)/s.exec(page) ?? []
  assert.ok(style && header, path)
  return { style, header: header.replace(/ (href|aria-current)="[^"]*"/g, "") }
}

test("the description is compressed for clients that accept gzip, and has the same content for others", async () => {
  const path = `${petstore.url}/api/v3/openapi.json`
  const zipped = await fetch(path)
  const plain = await fetch(path, { headers: { "accept-encoding": "identity" } })
  assert.deepEqual(
    [zipped, plain].map(({ headers }) => headers.get("content-encoding")),
    ["gzip", null],
  )
  assert.ok(Number(zipped.headers.get("content-length")) * 5 < Number(plain.headers.get("content-length")))
  assert.equal(await zipped.text(), await plain.text())
})

test("an unknown path is a page for browsers and a problem for programs; the API always returns problems", async () => {
  const typeAt = async (path: string, accept?: string) => {
    const response = await get(path, accept)
    assert.equal(response.status, 404)
    return response.headers.get("content-type")
  }
  for (const path of ["/nowhere", "/problems/no-such", "/docs/nothing.js", "/%3Cscript%3E"])
    assert.match((await typeAt(path)) ?? "", /^text\/html/)
  for (const accept of ["*/*", "application/json", "text/html;q=0.5, application/json", ""])
    assert.match((await typeAt("/nowhere", accept)) ?? "", /^application\/problem\+json/)
  assert.match((await typeAt("/api/v3/nowhere")) ?? "", /^application\/problem\+json/)
})

test("a request that a page refuses is a page for a browser and a problem for a program, for every page of the router", async () => {
  const pages = (await petstore.router.table()).filter(({ isPage }) => isPage)
  assert.ok(pages.length > 40, `${pages.length}`)
  for (const { path, allow } of pages)
    for (const accept of [browserAccepts, "application/json"]) {
      const address = petstore.url + path.replace(/\{\w+\}|\*/g, "1")
      const response = await fetch(address, { method: "DELETE", headers: { accept } })
      const text = await response.text()
      assert.deepEqual([response.status, response.headers.get("allow")], [405, allow], path)
      const type = response.headers.get("content-type") ?? ""
      if (accept === browserAccepts) {
        assert.match(type, /^text\/html/, path)
        assert.match(text, /<h1>Method not allowed<\/h1>.*\/problems\/method-not-allowed/s)
        assert.ok(text.includes(response.headers.get("x-request-id") as string))
      } else assert.equal(JSON.parse(text).code, "method-not-allowed", path)
    }
})

test("a page of a sandbox that does not exist says so in a page, and its operations in a problem", {
  skip: serverUrl && "named sandboxes need SQLite",
}, async () => {
  for (const path of ["/s/gone/", "/s/gone/pets/1", "/s/gone/console"]) {
    const response = await get(path)
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/, path)
    assert.match(await response.text(), /The sandbox gone does not exist/)
  }
  assert.match(await (await get("/s/gone/api/v3/pet/1")).text(), /"code":"unauthorized"/)
})

test("the reference's scripts are compressed and cacheable indefinitely, because their names contain a hash (slow)", async () => {
  const page = await (await get("/docs/")).text()
  const [library, start] = [...page.matchAll(/<script src="([^"]+)" defer>/g)].map(([, path]) => `/${path}`) as [
    string,
    string,
  ]
  for (const path of [library, start]) {
    const response = await get(path)
    assert.equal(response.headers.get("content-encoding"), "gzip")
    assert.match(response.headers.get("cache-control") ?? "", /immutable/)
    const plain = await fetch(petstore.url + path, { headers: { "accept-encoding": "identity" } })
    assert.equal(await plain.text(), await response.text())
  }
  assert.equal((await get(start.replace(/\w\.js$/, "_.js"))).status, 404)
})

test("the drawing of a pet without an image is cacheable indefinitely", async () => {
  const store = petstore.as("special-key")
  const { value } = await store.addPet({ body: { name: "Rex", category: { name: "Hounds" }, photoUrls: [] } })
  for (const path of ["/", `/pets/${value.id}`]) {
    const page = await (await get(path)).text()
    const [, src = ""] =
      /<img class="image" src="\.{1,2}(\/assets\/dog-\d+-[0-9a-f]{16}\.svg)" alt="" [^>]*loading="lazy">/.exec(page) ??
      []
    const response = await get(src)
    assert.equal(response.status, 200, path)
    assert.match(response.headers.get("content-type") ?? "", /^image\/svg\+xml/)
    assert.match(response.headers.get("cache-control") ?? "", /immutable/)
    assert.equal((await get(src.replace(/-\w{16}/, "-0000000000000000"))).status, 404)
    assert.equal((await get(src.replace(/-\w{16}/, ""))).status, 404)
  }
  const { value: read } = await store.getPetById({ params: { petId: value.id } })
  assert.deepEqual(read.photoUrls, [])
})

test("the icon is served at both paths that browsers request", async () => {
  for (const path of ["/favicon.svg", "/favicon.ico"])
    assert.equal((await get(path)).headers.get("content-type"), "image/svg+xml")
})

const textOf = (markup: string): string =>
  markup
    .replace(/<\/?\w+>/g, "")
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
