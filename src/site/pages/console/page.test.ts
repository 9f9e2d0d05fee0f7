import assert from "node:assert/strict"
import { test } from "node:test"
import { type ConsolePage, hereOf, isAt, isByStaff, maySeePage, withPassword } from "./page.ts"

test("a page is at the paths of its pattern", () => {
  const pattern = { path: "/pets/:petId/photos" } as const
  for (const path of ["/pets/1/photos", "/pets/x/photos"]) assert.equal(isAt(pattern, path), true, path)
  for (const path of ["/pets/1", "/pets/1/photos/2", "/orders/1/photos", "/pets/1/other", "/"])
    assert.equal(isAt(pattern, path), false, path)
  assert.deepEqual([isAt({ path: "/" }, "/"), isAt({ path: "/" }, "/pets")], [true, false])
})

test("a page is for people with its scope, and for staff only where customers have it for their own", () => {
  const viewer = (role: "customer" | "staff" | "admin", ...scopes: ConsolePage["scope"][]) => ({
    person: { role },
    scopes: new Set(scopes.filter((scope) => scope !== "any")),
  })
  const orders: Pick<ConsolePage, "scope" | "forStaff"> = { scope: "read:orders" }
  const cases: [typeof orders, ReturnType<typeof viewer>, boolean][] = [
    [{ scope: "any" }, viewer("customer"), true],
    [orders, viewer("customer"), false],
    [orders, viewer("customer", "read:orders"), true],
    [{ ...orders, forStaff: true }, viewer("customer", "read:orders"), false],
    [{ ...orders, forStaff: true }, viewer("staff", "read:orders"), true],
    [{ ...orders, forStaff: true }, viewer("staff"), false],
    [{ scope: "any", forStaff: true }, viewer("customer"), false],
    [{ scope: "any", forStaff: true }, viewer("admin"), true],
  ]
  for (const [page, who, may] of cases) assert.equal(maySeePage(page, who), may)
  assert.deepEqual(
    (["customer", "staff", "admin"] as const).map((role) => isByStaff({ person: { role } })),
    [false, true, true],
  )
})

test("the address of a page has its query, if there is one", () => {
  assert.equal(hereOf({ path: "/pets", query: new URLSearchParams() }), "/pets")
  assert.equal(hereOf({ path: "/pets", query: new URLSearchParams("a=b&c=") }), "/pets?a=b&c=")
  assert.equal(hereOf({ path: "/pets", query: new URLSearchParams("a=b") }), "/pets?a=b")
})

test("a question for the password is in the words of its button", async () => {
  const { question, password, always } = withPassword("Rotate the key")
  const [visit, form] = [{} as Parameters<typeof question>[0], new URLSearchParams()]
  assert.deepEqual(await question(visit, form), { title: "Rotate the key?", button: "Rotate the key" })
  assert.deepEqual([password, always], [true, undefined])
})
