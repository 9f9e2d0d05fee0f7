import assert from "node:assert/strict"
import { test } from "node:test"
import { appoint, passwordOf, people, signedIn } from "../../harness/console.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
before(() => appoint(petstore))
const ended = /role="alert"[^>]*>Your session ended; nothing was saved\./
const sessionMs = 13 * 3_600_000

/** Sends the form of a page after the session has ended, and signs in again. */
async function sendLate(path: string, fields: Record<string, string>, headers?: Record<string, string>) {
  const visitor = await signedIn(petstore, "admin")
  await visitor.go(`/console${path}`)
  petstore.clock.advance(sessionMs)
  const asked = await visitor.submit(fields, headers)
  return { visitor, asked, shown: await visitor.signIn(people.admin, passwordOf(people.admin)) }
}

test("a form that was sent after the session ended is shown again after the sign-in with its fields, once, and is not done", async () => {
  for (const [path, action, field, value] of [
    ["/pets/new", "add", "name", "Kept & more"],
    ["/orders/new", "place", "petId", "7"],
    ["/keys/new", "create", "name", "Kept key"],
  ] as const) {
    const { visitor, asked, shown } = await sendLate(path, { action, [field]: value })
    assert.match(asked.html, ended, path)
    assert.equal(asked.url.pathname, "/console/sign-in")
    assert.equal(shown.url.pathname, `/console${path}`)
    assert.match(shown.html, ended, path)
    const escaped = value.replace("&", "&amp;")
    assert.ok(shown.html.includes(`value="${escaped}"`), path)
    assert.ok(
      !(await visitor.go(`/console${path}`)).html.includes(`value="${escaped}"`),
      `${path} is new the next time`,
    )
  }
  const { value: pets } = await petstore.as("special-key").listPets({ query: { name: "Kept" } })
  assert.deepEqual(pets, [])
})

test("no field of a form is kept when one is secret or it is long, and nothing of a form of another site", async () => {
  for (const fields of [{ password: "hunter2" }, { "console-password": "hunter2" }, { photoUrls: "x".repeat(4_000) }]) {
    const { visitor, asked, shown } = await sendLate("/pets/new", { action: "add", name: "Half kept", ...fields })
    assert.match(asked.html, ended)
    assert.equal(shown.url.pathname, "/console/pets/new")
    assert.match(shown.html, ended)
    assert.doesNotMatch(shown.html, /Half kept|hunter2/)
    assert.ok(!visitor.cookies().some(({ value }) => Buffer.from(value, "base64url").includes("hunter2")))
  }
  const { visitor, asked } = await sendLate(
    "/pets/new",
    { action: "add", name: "Forged" },
    { origin: "https://evil.example" },
  )
  assert.equal(asked.status, 403)
  assert.ok(!visitor.cookies().some(({ value }) => Buffer.from(value, "base64url").includes("Forged")))
})
