import assert from "node:assert/strict"
import { test } from "node:test"
import { type ConsentQuestion, consentPage } from "./consent-page.ts"

const question: ConsentQuestion = {
  clientName: "Walker & Co",
  redirectOrigin: "https://walker.example",
  person: { username: "ada" },
  scopes: ["openid", "read:pets"],
  beyond: [],
  suggested: undefined,
  switchUrl: "/oauth/auth?prompt=login",
  consentsUrl: undefined,
  root: "",
}

function shown(changed: Partial<ConsentQuestion> = {}) {
  const text = String(consentPage({ ...question, ...changed }, "T").body)
  return {
    scopes: [...text.matchAll(/<li>(.*?) <code>(.*?)<\/code>/g)].map(([, words, scope]) => `${scope}: ${words}`),
    beyond: /scopes that you cannot grant: (.*?)\.</.exec(text)?.[1],
    suggested: /In this sandbox (.*?) is staff/.exec(text)?.[1],
    links: [...text.matchAll(/<a href="(\/[^"]+)">(.*?)<\/a>/g)].map(([, , words]) => words).slice(3),
  }
}

test("a consent page says what the application may do, and what it may not", () => {
  const plain = {
    scopes: ["openid: Identify you by a user id", "read:pets: See the pets"],
    beyond: undefined,
    suggested: undefined,
  }
  const { links, ...rest } = shown()
  assert.deepEqual(rest, plain)
  assert.equal(links.at(-1), "Sign in as another user")
  assert.equal(shown({ beyond: ["admin"] }).beyond, "admin")
  assert.equal(shown({ beyond: ["admin", "write:pets"] }).beyond, "admin, write:pets")
  const suggested = { role: "staff", username: "user10", password: "p" } as const
  assert.equal(shown({ suggested }).suggested, "user10 (password p)")
  assert.equal(shown({ consentsUrl: "/console/consents" }).links.at(-1), "Your consents")
})
