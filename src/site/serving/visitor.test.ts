import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import type { ProblemCode } from "../../domain/problems/problems.ts"
import { Problem } from "../../kernel/problem.ts"
import type { ConsoleCookies } from "./cookies.ts"
import { personFinder } from "./visitor.ts"

type Given = {
  token?: string
  chosen?: string
  username?: string
  scopes?: string[]
  kind?: string
  /** Refuses the account that is asked for, or without one the credential. */
  refusal?: { account?: string; code: string } | "bug"
}

/** Finds the person of a browser: the account that the person acts for, and the headers of what was asked. */
async function find({ token, chosen, username = "ada", scopes = ["admin"], kind = "session", refusal }: Given) {
  const asked: object[] = []
  const authenticate = async ({ headers }: { headers: Record<string, string> }) => {
    asked.push(headers)
    const account = headers["petstore-account"]
    if (refusal === "bug") throw new Error("a bug")
    if (refusal && refusal.account === account) throw new Problem(refusal.code as ProblemCode, "No")
    const user = { id: 1, username }
    const acting = { account: { id: account === undefined ? 7 : Number(account) }, scopes: new Set(scopes) }
    return { caller: { ...acting, credential: { kind }, ...(account === undefined && { user }) } }
  }
  const cookies = { token: () => token, account: () => chosen } as unknown as ConsoleCookies
  const people = [{ role: "admin", username: "sample", password: "p", account: 1 }] as const
  const exchange = exchangeOf("/console")
  const person = await personFinder(
    { authenticate } as unknown as Parameters<typeof personFinder>[0],
    cookies,
    people,
  )(exchange)
  assert.equal(exchange.caller, person?.caller)
  return { account: person?.caller.account.id, user: person?.caller.user.username, token: person?.token, asked }
}

const session = { authorization: "Bearer t" }

test("a browser with a session has its person; without one, or with another credential, it has none", async () => {
  assert.deepEqual(await find({}), { account: undefined, user: undefined, token: undefined, asked: [] })
  assert.deepEqual(await find({ token: "t" }), { account: 7, user: "ada", token: "t", asked: [session] })
  assert.equal((await find({ token: "t", kind: "key" })).user, undefined)
  assert.equal((await find({ token: "t", refusal: { code: "unauthorized" } })).user, undefined)
  await assert.rejects(find({ token: "t", refusal: { code: "unavailable" } }), { code: "unavailable" })
  await assert.rejects(find({ token: "t", refusal: "bug" }), /a bug/)
})

test("an administrator acts for the chosen account, at first for that of a sample person, and otherwise for their own", async () => {
  const acting = (account: string) => ({ ...session, "petstore-account": account })
  assert.deepEqual(await find({ token: "t", chosen: "3" }), {
    account: 3,
    user: "ada",
    token: "t",
    asked: [session, acting("3")],
  })
  const sample = { token: "t", username: "sample" }
  assert.deepEqual((await find(sample)).asked, [session, acting("1")])
  assert.equal((await find({ ...sample, chosen: "3" })).account, 3)
  assert.deepEqual((await find({ token: "t", chosen: "3", scopes: ["read:pets"] })).asked, [session])
  for (const code of ["unauthorized", "invalid-parameter"]) {
    const gone = await find({ token: "t", chosen: "3", refusal: { account: "3", code } })
    assert.deepEqual([gone.account, gone.user], [7, "ada"])
  }
})
