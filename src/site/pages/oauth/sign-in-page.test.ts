import assert from "node:assert/strict"
import { test } from "node:test"
import { type SignInForm, signInPage } from "./sign-in-page.ts"

const form: SignInForm = {
  continuing: "to see your data",
  origins: ["https://walker.example"],
  mayCancel: false,
  root: "..",
  username: "",
  people: [],
  hasUsers: true,
}

/** The page: its status, its title, what it is for, the field that is focused, and its buttons. */
function shown(changed: Partial<SignInForm> = {}) {
  const { status, headers, body } = signInPage({ ...form, ...changed }, "T")
  const text = String(body)
  return {
    status,
    title: /<title>(.*?) · /.exec(text)?.[1],
    purpose: /<h1>Sign in<\/h1>\s*<p>(.*?)<\/p>/.exec(text)?.[1],
    focused: [...text.matchAll(/<input id="(\w+)"[^>]* autofocus/g)].map(([, name]) => name),
    buttons: [...text.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, label]) => label),
    alarm: /role="alert" id="failure">(.*?)</.exec(text)?.[1],
    described: text.match(/aria-describedby="failure"/g)?.length ?? 0,
    hasUsers: !text.includes("There are no users yet"),
    isSandbox: text.includes("This is a sandbox"),
    targets: /form-action (.*?);/.exec(headers.join("\n"))?.[1],
  }
}
const plain = {
  status: 200,
  title: "Sign in",
  purpose: "to see your data",
  focused: ["username"],
  buttons: ["Sign in"],
  alarm: undefined,
  described: 0,
  hasUsers: true,
  isSandbox: false,
  targets: "'self' https://walker.example",
}

test("a sign-in page says what it is for, and has what its form needs", () => {
  assert.deepEqual(shown(), plain)
  assert.deepEqual(shown({ username: "ada" }), { ...plain, focused: ["password"] })
  assert.deepEqual(shown({ continuing: { to: "A & B" }, mayCancel: true, hasUsers: false }), {
    ...plain,
    purpose: "to continue to <strong>A &amp; B</strong>",
    buttons: ["Sign in", "Cancel"],
    hasUsers: false,
  })
})

test("a failure is described at the fields, and each sample user has a button", () => {
  const failure = { message: "It is wrong.", status: 400 }
  const failed = { ...plain, status: 400, title: "Could not sign in", alarm: "It is wrong.", described: 2 }
  assert.deepEqual(shown({ failure }), failed)
  const staff = { role: "staff", username: "user10", password: "p" } as const
  assert.deepEqual(shown({ people: [staff] }), { ...plain, buttons: ["Sign in", "staff"], isSandbox: true })
  const admin = { ...staff, role: "admin" } as const
  assert.deepEqual(shown({ people: [staff, admin] }).buttons, ["Sign in", "staff", "admin"])
})
