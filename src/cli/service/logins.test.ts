import assert from "node:assert/strict"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { test } from "node:test"
import { temporaryDirectory } from "../../../test/harness/directory.ts"
import { deleteLogin, readLogin, saveLogin } from "./logins.ts"

const local = "http://127.0.0.1:8080"
const remote = "https://petstore.example"

test("a login is that of one address, replaced by the next one, and a file that is no JSON is none", () => {
  using directory = temporaryDirectory()
  const { path } = directory
  const login = { username: "ada", token: "one", expiresAt: "2026-01-01T00:00:00Z" }
  assert.equal(readLogin(path, local), undefined)
  deleteLogin(path, local)
  saveLogin(path, local, login)
  saveLogin(path, remote, { ...login, token: "other" })
  saveLogin(path, local, { ...login, token: "two" })
  assert.deepEqual(readLogin(path, local), { ...login, token: "two" })
  const files = readdirSync(`${path}/logins`).sort()
  assert.deepEqual(files, ["http%3A%2F%2F127.0.0.1%3A8080.json", "https%3A%2F%2Fpetstore.example.json"])
  assert.equal(readFileSync(`${path}/logins/${files[0]}`, "utf8"), `${JSON.stringify({ ...login, token: "two" })}\n`)
  deleteLogin(path, local)
  assert.equal(readLogin(path, local), undefined)
  assert.equal(readLogin(path, remote)?.token, "other")
  writeFileSync(`${path}/logins/${files[1]}`, '{"username":')
  assert.equal(readLogin(path, remote), undefined)
  deleteLogin(path, remote)
  mkdirSync(`${path}/logins/${files[1]}`)
  assert.throws(() => readLogin(path, remote), { code: "EISDIR" })
})
