import assert from "node:assert/strict"
import { test } from "node:test"
import { principalOf } from "../../../../test/harness/principal.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Caller } from "../accounts/model.ts"
import { type Role, roles } from "../scopes.ts"
import type { User } from "./contract.ts"
import type { StoredUser, UserRecord } from "./model.ts"
import {
  changedFields,
  checkGrantable,
  checkUndocumented,
  isDemoted,
  nameViolations,
  newUser,
  passwordViolations,
  replaceProfile,
  requireChangeableUser,
  requireUser,
  takesOver,
  toUser,
  toUserRole,
} from "./rules.ts"

const ada: User = { id: 3, username: "ada", email: "ada@example.com", userStatus: 1 }
const stored = (role: Role = "customer"): StoredUser => ({ user: { ...ada, role }, accountId: 7, passwordHash: "hash" })
const { caller: program } = principalOf(1)
const person = (role: Role, ownerId = 1): Caller => ({
  ...program,
  ownerId,
  user: { id: 9, username: "bea", role, accountId: 1 },
})
const codeOf = (outcome: unknown) => (outcome instanceof Problem ? outcome.code : outcome)

test("names of paths are reserved, in any case", () => {
  const reserved = [{ pointer: "/username", code: "reserved", detail: "is reserved; choose another one" }]
  for (const name of ["login", "LogOut", "createWithList"])
    assert.deepEqual(nameViolations("/username", name), reserved)
  for (const name of [undefined, "logins", "ada"]) assert.deepEqual(nameViolations("/username", name), [])
})

test("a password has a minimum of characters, not of code units", () => {
  const details = (password?: string) =>
    passwordViolations("/password", password, { passwordLengthMin: 3 }).map(({ detail }) => detail)
  assert.deepEqual([details(), details("abc"), details("😀😀😀")], [[], [], []])
  assert.deepEqual([details("ab"), details("😀😀"), details("")], Array(3).fill(["needs 3 characters or more"]))
})

test("people see themselves, and staff everyone", () => {
  const see = (caller: Caller) => codeOf(requireUser(stored(), caller))
  assert.deepEqual([see(person("customer", 7)), see(person("staff"))], [stored(), stored()])
  assert.deepEqual(
    [see(person("customer")), codeOf(requireUser(undefined, person("staff")))],
    Array(2).fill("user-not-found"),
  )
})

test("people change themselves, and staff those with no higher role", () => {
  const change = (caller: Caller, role: Role) => codeOf(requireChangeableUser(stored(role), caller))
  for (const [caller, role] of [
    [person("customer", 7), "admin"],
    [person("staff"), "customer"],
    [person("staff"), "staff"],
    [person("admin"), "admin"],
    [{ ...program, scopes: new Set(["admin"]) }, "admin"],
  ] as [Caller, Role][])
    assert.deepEqual(change(caller, role), stored(role))
  assert.equal(change(person("staff"), "admin"), "role-missing")
  assert.equal(change(person("customer"), "customer"), "user-not-found")
  assert.equal(change(program, "customer"), "user-not-found")
})

test("granting a role needs all of its scopes", () => {
  assert.equal(checkGrantable("customer", new Set(roles.customer)), true)
  const refused = checkGrantable("staff", new Set(roles.customer))
  assert.ok(refused instanceof Problem)
  assert.equal(refused.detail, "The role staff has scopes that your credential lacks: write:pets")
})

test("a documented user of the sandbox keeps the login and the role", () => {
  const known = new Map<string, Role>([["ada", "staff"]])
  assert.equal(codeOf(checkUndocumented({ ...ada, username: "ADA" }, known)), "well-known-user")
  assert.equal(checkUndocumented({ ...ada, username: "bea" }, known), true)
  const demoted = (role: Role, username = "Ada") => isDemoted({ ...ada, username }, role, known)
  assert.deepEqual(
    [demoted("customer"), demoted("staff"), demoted("admin"), demoted("customer", "bea")],
    [true, false, false, false],
  )
})

test("a password, another name and another address could give control to someone else", () => {
  for (const wanted of [{ password: "x" }, { username: "bea", email: ada.email }, { email: "bea@example.com" }, {}])
    assert.equal(takesOver(ada, wanted as object), true, JSON.stringify(wanted))
  const same = { email: "ada@example.com" }
  for (const wanted of [same, { ...same, username: "ada" }, { ...same, firstName: "Bea" }])
    assert.equal(takesOver(ada, wanted), false, JSON.stringify(wanted))
  const { email: _, ...without } = ada
  assert.deepEqual([takesOver(without, {}), takesOver(without, { email: "" })], [false, false])
})

test("a new user is a customer without a password, and a replacement keeps name and role", () => {
  const { password: _, ...draft } = { username: "ada", firstName: "Ada", password: "secret" }
  const record: UserRecord = { ...draft, id: 4, userStatus: 0, role: "customer" }
  assert.deepEqual(newUser({ ...draft, password: "secret" }, 4), record)
  const replaced = replaceProfile({ ...ada, role: "staff" }, { phone: "1", password: "a", currentPassword: "b" })
  assert.deepEqual(replaced, { id: 3, username: "ada", phone: "1", userStatus: 0, role: "staff" })
  assert.equal(replaceProfile(record, { username: "bea", userStatus: 5 }).username, "bea")
  assert.deepEqual(changedFields({ ...ada, role: "staff" }, replaced).sort(), ["email", "phone", "userStatus"])
  assert.deepEqual(toUser({ ...ada, role: "staff" }), ada)
  assert.deepEqual(toUserRole({ ...ada, role: "staff" }), { id: 3, username: "ada", role: "staff" })
})
