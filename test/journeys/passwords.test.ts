import assert from "node:assert/strict"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { spawnPetstore } from "../harness/spawn.ts"

/** Unique texts, so that every occurrence is a leak. */
const first = "Xyzzy-plugh-1!"
const second = "Plover-fee-2!"
const wrong = "Maelstrom-wrong-3!"

test("no response, log line, event or file of a whole run contains a password, also from query strings", async () => {
  await using petstore = await spawnPetstore()
  const responses: string[] = []
  let token = ""

  async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${petstore.url}/api/v3${path}`, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    responses.push(JSON.stringify([...response.headers]), text)
    return { status: response.status, text }
  }
  const staff = { api_key: "special-key" }
  const own = () => ({ authorization: `Bearer ${token}` })
  const query = (password: string) => `username=secretive&password=${encodeURIComponent(password)}`

  assert.equal((await send("POST", "/user", { username: "secretive", password: first })).status, 200)
  await send("POST", "/user", { username: "secretive", password: first })
  await send("POST", "/user", { username: "x", password: first, email: 3 })
  await send("POST", "/user", { username: first, password: `${first}\u0000` })
  await send("POST", "/user", { password: first.slice(0, 7).padEnd(300, first) })
  await send("POST", "/user", `{"username":"secretive","password":"${first}"`)
  await send("POST", "/user", `{"username":"secretive","password":${first}}`)
  await send("POST", "/user", `"${first}"`)
  await send("POST", "/user/createWithList", [{ username: "second.one", password: first }], staff)
  await send("POST", "/user/createWithList", [{ username: "second.one", password: first }], staff)

  token = JSON.parse((await send("GET", `/user/login?${query(first)}`)).text)
  await send("POST", "/user/login", { username: "secretive", password: first })
  await send("POST", "/user/login", { username: "secretive", password: wrong })
  await send("GET", `/user/login?${query(wrong)}`)
  await send("GET", `/user/login?${query(wrong)}&limit=1`, undefined, { accept: "text/html" })
  await send("GET", `/user/login/?${query(wrong)}`)
  await send("PUT", `/user/login?${query(wrong)}`, {})
  await send("GET", `/user/login?${query(wrong)}%`)
  await send("GET", `/user/login?password=${wrong}`)

  await send("GET", "/user/secretive", undefined, own())
  await send("POST", "/store/order", { petId: 1 }, own())
  await send("PUT", "/user/secretive", { firstName: "S", password: second }, own())
  await send("GET", "/user/secretive", undefined, own())
  await send("GET", `/user/login?${query(second)}`)
  await send("GET", "/user", undefined, staff)
  await send("GET", "/user/logout", undefined, own())
  await send("DELETE", "/user/second.one", undefined, staff)
  await petstore.kill("SIGTERM")

  assert.ok(petstore.stdout.includes("/user/login"), "the log has no entry of the login")
  const places = {
    responses: responses.join("\n"),
    stdout: petstore.stdout,
    stderr: petstore.stderr,
    ...filesIn(petstore.dataDir),
  }
  assert.ok(Object.keys(places).length > 3)
  for (const secret of [first, second, wrong])
    for (const form of [secret, encodeURIComponent(secret), secret.slice(0, 8)])
      for (const [place, text] of Object.entries(places)) assert.ok(!text.includes(form), `${form} is in ${place}`)
})

const filesIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(directory, name)).isFile())
      .map((name) => [name, readFileSync(join(directory, name), "latin1")]),
  )
