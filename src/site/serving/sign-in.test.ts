import assert from "node:assert/strict"
import { Readable } from "node:stream"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import type { Awaitable } from "../../kernel/flow/awaitable.ts"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Console } from "./console.ts"
import { sessionToken } from "./forms.ts"
import { consoleSignInHandlers, signInAgain, toSignIn } from "./sign-in.ts"

const browser = "b".repeat(32)

/** The console of a browser whose person has this session, and what is done for it. */
function open(session?: string) {
  const done: unknown[] = []
  const callAs = (visitor: { token?: string }) => ({
    async logIn({ body }: { body: { username: string; password: string } }) {
      done.push(["in", body.username, body.password])
      if (body.password === "wrong") throw new Problem("invalid-credentials", "The password is wrong")
      return { value: "new session" }
    },
    logOut: async () => void done.push(["out", visitor.token]),
  })
  const console = {
    publicUrl: () => "https://pets.example/shop",
    api: { ports: { policy: { sessionMs: 60_000 }, store: {} }, toProblem: (_: unknown, error: unknown) => error },
    cookies: {
      signIn: (_: unknown, token: string, seconds: number) => void done.push(["cookie", token, seconds]),
      signOut: () => void done.push(["no cookies"]),
    },
    callAs,
    findPerson: async () => session && { token: session },
    samplePeople: [{ role: "staff", username: "ada", password: "p" }],
  } as unknown as Console
  return { console, done, handlers: consoleSignInHandlers(console) }
}

function formOf(url: string, fields: Record<string, string>) {
  const body = `${new URLSearchParams(fields)}`
  const headers = {
    host: "pets.example",
    cookie: `petstore_form=${browser}`,
    "content-length": String(body.length),
  }
  const exchange = exchangeOf(url, { method: "POST", headers })
  return Object.assign(exchange, { request: Object.assign(Readable.from([Buffer.from(body)]), { headers }) })
}

const statusAndLocation = async (responding: Awaitable<HttpResponse | undefined>) => {
  const { status, headers = [] } = (await responding) ?? {}
  return [status, headers[headers.indexOf("location") + 1]]
}

test("a person who signs in continues to the page that was requested, and the previous session of the browser ends", async () => {
  const fields = { form: browser, username: "ada", password: "p" }
  const signIn = async (session?: string) => {
    const { handlers, done } = open(session)
    const sent = formOf("/console/sign-in?next=%2Fpets%3Fa%3Db", fields)
    assert.deepEqual(await statusAndLocation(handlers.signIn(sent)), [303, "/shop/console/pets?a=b"])
    return done
  }
  const begin = ["in", "ada", "p"]
  const end = ["cookie", "new session", 60]
  assert.deepEqual(await signIn(), [begin, end])
  assert.deepEqual(await signIn("old"), [begin, ["out", "old"], end])
})

test("a wrong password and a form without its token start no session", async () => {
  const wrong = open()
  const refused = await wrong.handlers.signIn(
    formOf("/console/sign-in", { form: browser, username: "ada", password: "wrong" }),
  )
  assert.equal(refused?.status, 400)
  assert.match(String(refused?.body), /The password is wrong\.<.*value="ada"/s)
  assert.deepEqual(wrong.done, [["in", "ada", "wrong"]])
  const forged = open()
  const expired = await forged.handlers.signIn(formOf("/console/sign-in", { form: "x", username: "ada" }))
  assert.equal(expired?.status, 403)
  assert.match(String(expired?.body), /This page has expired\. Sign in again\./)
  assert.doesNotMatch(String(expired?.body), /value="ada" required/)
  assert.deepEqual(forged.done, [])
})

test("the page of sign-in leads a signed-in person to the page that was requested, and never elsewhere", async () => {
  const { handlers } = open("session")
  const leads = (next: string) =>
    statusAndLocation(handlers.showForm(exchangeOf(`/console/sign-in?${new URLSearchParams({ next })}`)))
  assert.deepEqual(await leads("/pets?a=b#c"), [303, "/shop/console/pets?a=b#c"])
  assert.deepEqual(await leads("//evil.example"), [303, "/shop/console//evil.example"])
  for (const next of ["", "pets", "/../docs", "/..", "/ü", "/a b", "/a\nb"])
    assert.deepEqual(await leads(next), [303, "/shop/console"], next)
  const shown = await open().handlers.showForm(exchangeOf("/console/sign-in"))
  assert.equal(shown?.status, 200)
  assert.match(String(shown?.body), /<h1>Sign in<\/h1>\s*<p>to see and manage your data in the store<\/p>/)
  assert.doesNotMatch(String(shown?.body), />Cancel</)
})

test("a form of the session signs a person out, and one without its token does not", async () => {
  const signOut = async (session: string | undefined, form: string) => {
    const { handlers, done } = open(session)
    return [...(await statusAndLocation(handlers.signOut(formOf("/console/sign-out", { form })))), ...done]
  }
  const toForm = [303, "/shop/console/sign-in"]
  assert.deepEqual(await signOut("session", sessionToken("session")), [...toForm, ["out", "session"], ["no cookies"]])
  assert.deepEqual(await signOut("session", "x"), [303, "/shop/console"])
  assert.deepEqual(await signOut(undefined, "x"), [...toForm, ["no cookies"]])
})

test("a sample user whose session has ended is signed in again, and another one is signed out", async () => {
  const { console, done } = open()
  await signInAgain(console, exchangeOf("/console"), "ada")
  await signInAgain(console, exchangeOf("/console"), "kim")
  assert.deepEqual(done, [["in", "ada", "p"], ["cookie", "new session", 60], ["no cookies"]])
})

test("a request without a session leads to the sign-in page and back, except for the overview and a form", () => {
  const location = (method: string, url: string, site?: string) => {
    const headers = site === undefined ? {} : { "sec-fetch-site": site }
    const { status, headers: sent } = toSignIn(exchangeOf(url, { method, headers }), "https://pets.example")
    return status === 303 ? sent[sent.indexOf("location") + 1] : status
  }
  const form = "/console/sign-in"
  for (const method of ["GET", "HEAD"]) {
    assert.equal(location(method, "/console/pets?a=b"), `${form}?next=%2Fpets%3Fa%3Db`)
    assert.equal(location(method, "/console"), form)
    assert.equal(location(method, "/console?a=b"), `${form}?next=%3Fa%3Db`)
    assert.equal(location(method, "/console/pets", "same-origin"), `${form}?next=%2Fpets`)
  }
  assert.equal(location("POST", "/console/pets"), form)
  assert.equal(location("POST", "/console/pets", "cross-site"), form)
  assert.equal(location("HEAD", "/console/pets", "cross-site"), `${form}?next=%2Fpets`)
  assert.equal(location("GET", "/console/pets", "cross-site"), 200)
})
