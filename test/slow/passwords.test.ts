import assert from "node:assert/strict"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { sender } from "../harness/send.ts"
import { spawnPetstore } from "../harness/spawn.ts"

/** Unique texts, so that every occurrence is a leak. */
const first = "Xyzzy-plugh-1!"
const second = "Plover-fee-2!"
const wrong = "Maelstrom-wrong-3!"

test("no response, log line, event or file of a whole run contains a password, also from query strings", async () => {
  await using petstore = await spawnPetstore()
  const responses: string[] = []
  let token = ""

  const send = sender(petstore)
  async function sendNoting(method: string, path: string, body?: unknown, sent: Record<string, string> = {}) {
    const { status, text, headers } = await send(method, path, body, sent)
    responses.push(JSON.stringify([...headers]), text)
    return { status, text }
  }
  const staff = { api_key: "special-key" }
  const own = () => ({ authorization: `Bearer ${token}` })
  const query = (password: string) => `username=secretive&password=${encodeURIComponent(password)}`

  assert.equal((await sendNoting("POST", "/user", { username: "secretive", password: first })).status, 200)
  await sendNoting("POST", "/user", { username: "secretive", password: first })
  await sendNoting("POST", "/user", { username: "x", password: first, email: 3 })
  await sendNoting("POST", "/user", { username: first, password: `${first}\u0000` })
  await sendNoting("POST", "/user", { password: first.slice(0, 7).padEnd(300, first) })
  await sendNoting("POST", "/user", `{"username":"secretive","password":"${first}"`)
  await sendNoting("POST", "/user", `{"username":"secretive","password":${first}}`)
  await sendNoting("POST", "/user", `"${first}"`)
  await sendNoting("POST", "/user/createWithList", [{ username: "second.one", password: first }], staff)
  await sendNoting("POST", "/user/createWithList", [{ username: "second.one", password: first }], staff)

  token = JSON.parse((await sendNoting("GET", `/user/login?${query(first)}`)).text)
  await sendNoting("POST", "/user/login", { username: "secretive", password: first })
  await sendNoting("POST", "/user/login", { username: "secretive", password: wrong })
  await sendNoting("GET", `/user/login?${query(wrong)}`)
  await sendNoting("GET", `/user/login?${query(wrong)}&limit=1`, undefined, { accept: "text/html" })
  await sendNoting("GET", `/user/login/?${query(wrong)}`)
  await sendNoting("PUT", `/user/login?${query(wrong)}`, {})
  await sendNoting("GET", `/user/login?${query(wrong)}%`)
  await sendNoting("GET", `/user/login?password=${wrong}`)

  await sendNoting("GET", "/user/secretive", undefined, own())
  await sendNoting("POST", "/store/order", { petId: 1 }, own())
  await sendNoting("PUT", "/user/secretive", { firstName: "S", password: second }, own())
  await sendNoting("GET", "/user/secretive", undefined, own())
  await sendNoting("GET", `/user/login?${query(second)}`)
  await sendNoting("GET", "/user", undefined, staff)
  await sendNoting("GET", "/user/logout", undefined, own())
  await sendNoting("DELETE", "/user/second.one", undefined, staff)
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
