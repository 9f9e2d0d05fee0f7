import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { appoint, passwordOf, people, signedIn } from "../../harness/console.ts"
import { hostileTexts, requireAsText } from "../../harness/hostile-texts.ts"
import { person } from "../../harness/person.ts"
import { before, usePetstore } from "../../harness/use.ts"

const petstore = usePetstore()
before(() => appoint(petstore))
const admin = () => petstore.as("special-key")
const record = (username: string) => ({ username, firstName: "", lastName: "", email: "", phone: "" })
const register = (username: string, more: object = {}) =>
  admin().createUser({ body: { username, password: "correct horse", ...more } })
const find = async (username: string) => (await admin().getUserByName({ params: { username } })).value
const roleOf = async (username: string) => (await admin().getRole({ params: { username } })).value.role

describe("staff in the console", () => {
  test("add a user, find, change and delete them", async () => {
    const staff = await signedIn(petstore, "staff")
    await staff.go("/console/users/new")
    const fields = { ...record("newcomer"), password: "correct horse", firstName: "New", action: "add" }
    const wrong = await staff.submit({ ...fields, username: "a b", email: "nowhere" })
    assert.equal(wrong.status, 422)
    assert.match(wrong.html, /id="[\w-]+-username-error">Username may only contain/)
    assert.match(wrong.html, /id="[\w-]+-email-error">E-mail must be an e-mail address/)
    assert.doesNotMatch(wrong.html, /correct horse/)
    assert.match((await staff.submit(fields)).html, /newcomer was added/)
    assert.match((await staff.go("/console/users?username=newcomer")).html, /users\/named\/newcomer/)
    assert.match((await staff.go("/console/users?username=unknown")).html, /No user has this name/)

    await staff.go("/console/users/named/newcomer")
    await admin().updateUser({ params: { username: "newcomer" }, body: { firstName: "New", userStatus: 7 } })
    const saved = await staff.submit({ ...record("newcomer"), phone: "555", currentPassword: "", action: "save" })
    assert.match(saved.html, /newcomer was saved/)
    const { phone, userStatus } = await find("newcomer")
    assert.deepEqual({ phone, userStatus }, { phone: "555", userStatus: 7 })

    await staff.go("/console/users/named/newcomer/delete")
    assert.equal((await staff.submit({ action: "delete", currentPassword: "wrong" })).status, 403)
    const deleted = await staff.submit({ action: "delete", currentPassword: passwordOf(people.staff) })
    assert.match(deleted.html, /newcomer was deleted/)
    await assert.rejects(find("newcomer"))
  })

  test("reset a password by confirming their own, and never an admin's", async () => {
    await register("forgetful")
    const staff = await signedIn(petstore, "staff")
    await staff.go("/console/users/named/forgetful/password")
    const fields = { action: "reset", password: "battery staple", currentPassword: "wrong" }
    const wrong = await staff.submit(fields)
    assert.equal(wrong.status, 403)
    assert.doesNotMatch(wrong.html, /battery staple/)
    const right = { ...fields, currentPassword: passwordOf(people.staff) }
    assert.match((await staff.submit(right)).html, /forgetful has a new password/)
    const visitor = person(petstore.url)
    await visitor.go("/console/sign-in")
    assert.equal((await visitor.signIn("forgetful", "battery staple")).url.pathname, "/console")

    await staff.go(`/console/users/named/${people.admin}/password`)
    assert.equal((await staff.submit(right)).status, 403)
  })

  test("cannot grant roles; an admin can, with their password", async () => {
    await register("promoted")
    const staff = await signedIn(petstore, "staff")
    assert.doesNotMatch((await staff.go("/console/users/named/promoted")).html, /Change the role/)
    await staff.submit({ action: "grant", role: "admin", "console-password": passwordOf(people.staff) })
    assert.equal(await roleOf("promoted"), "customer")

    const chief = await signedIn(petstore, "admin")
    await chief.go("/console/users/named/promoted")
    assert.match((await chief.submit({ action: "grant", role: "staff" })).html, /Confirm with your password/)
    const granted = await chief.submit({ "console-password": passwordOf(people.admin) })
    assert.match(granted.html, /promoted has the role staff/)
    assert.equal(await roleOf("promoted"), "staff")
  })

  test("list users in pages", async () => {
    for (let n = 0; n < 26; n++) await register(`many-${n}`)
    const staff = await signedIn(petstore, "staff")
    const first = await staff.go("/console/users")
    const next = /<a href="([^"]+)" rel="next"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? ""
    assert.match(first.html, /many-25</)
    assert.doesNotMatch(first.html, /many-0</)
    assert.match((await staff.go(next)).html, /many-0</)
  })
})

describe("every user in the console", () => {
  test("changes their own record, and username or e-mail with their password", async () => {
    await register("self", { email: "self@pets.example" })
    const self = await signInAs("self", "correct horse")
    await self.go("/console/profile")
    const fields = {
      ...record("self"),
      email: "self@pets.example",
      firstName: "Sel",
      currentPassword: "",
      action: "save",
    }
    assert.match((await self.submit(fields)).html, /Your profile was saved/)
    const moved = { ...fields, email: "other@pets.example" }
    assert.equal((await self.submit(moved)).status, 403)
    assert.match((await self.submit({ ...moved, currentPassword: "correct horse" })).html, /was saved/)
    assert.equal((await find("self")).email, "other@pets.example")
  })

  test("changes their password, which ends all sessions", async () => {
    await register("changer", { firstName: "Kept" })
    const changer = await signInAs("changer", "correct horse")
    await changer.go("/console/profile/password")
    const none = await changer.submit({ action: "change", password: "", currentPassword: "correct horse" })
    assert.match(none.html, /id="[\w-]+-password-error">New password/)
    assert.equal(
      (await changer.submit({ action: "change", password: "new staple", currentPassword: "no" })).status,
      403,
    )
    const changed = await changer.submit({ action: "change", password: "new staple", currentPassword: "correct horse" })
    assert.equal(changed.url.pathname, "/console/sign-in")
    assert.equal((await find("changer")).firstName, "Kept")
    assert.equal((await (await signInAs("changer", "new staple")).go("/console/profile")).status, 200)
  })

  test("deletes their own user with their password, and no other", async () => {
    await register("leaver")
    const leaver = await signInAs("leaver", "correct horse")
    await leaver.go("/console/profile/delete")
    assert.equal((await leaver.submit({ action: "delete", currentPassword: "" })).status, 403)
    await leaver.submit({ action: "delete", currentPassword: "correct horse" })
    await assert.rejects(find("leaver"))

    const customer = await signedIn(petstore, "customer")
    await customer.go("/console")
    const smuggled = { action: "delete", currentPassword: passwordOf(people.customer) }
    assert.equal((await customer.submitTo("/console/users/named/user4/delete", smuggled)).status, 404)
    assert.equal((await find("user4")).username, "user4")
  })

  async function signInAs(username: string, password: string) {
    const visitor = person(petstore.url)
    await visitor.go("/console/sign-in")
    await visitor.signIn(username, password)
    return visitor
  }
})

test("pages display usernames and names as text (slow)", async () => {
  const chief = await signedIn(petstore, "admin")
  for (const [n, text] of hostileTexts.entries()) {
    const username = `hostile-${n}`
    await register(username, { firstName: text, lastName: text, phone: text.slice(0, 64) })
    for (const path of ["/users", `/users/named/${username}`])
      requireAsText((await chief.go(`/console${path}`)).html, text, path)
    for (const path of [`/users?${new URLSearchParams({ username: text })}`, "/users/new"]) {
      const { html } = await chief.go(`/console${path}`)
      requireAsText(
        path === "/users/new" ? (await chief.submit({ ...record(text), action: "add" })).html : html,
        text,
        path,
      )
    }
    await admin().createAccount({ body: { name: text, plan: "free" } })
    requireAsText((await chief.go("/console/accounts")).html, text, "/accounts")
  }
})
