import assert from "node:assert/strict"
import { test } from "node:test"
import type { Provider } from "oidc-provider"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import { StoreUnavailable } from "../../domain/ports/store.ts"
import { startSession } from "./session.ts"

/** Signs a person in at a browser with this session; the cookies, and what is done. */
async function start(before: string | undefined, issuer = "https://pets.example/oauth", failure?: Error) {
  const done: unknown[] = []
  class Session {
    accountId: string | undefined
    static async get() {
      const session = new Session()
      session.accountId = before
      return session
    }
    async destroy() {
      done.push(["end", this.accountId])
    }
    loginAccount({ accountId }: { accountId: string }) {
      this.accountId = accountId
    }
    async save(seconds: number) {
      done.push(["save", this.accountId, seconds])
      if (failure) throw failure
      return "value"
    }
  }
  const server = { Session, issuer, createContext: () => ({}), cookieName: (what: string) => `petstore_${what}` }
  const exchange = exchangeOf("/oauth/sign-in")
  const cookies: string[] = []
  Object.assign(exchange, { header: (_name: string, value: string) => cookies.push(value) })
  await startSession(server as unknown as Provider, exchange, 4)
  return { done, cookies }
}

test("a sign-in lasts a day in a cookie of the authorization server, and ends the previous one", async () => {
  const save = ["save", "4", 86_400]
  const cookie = "petstore_session=value; path=/oauth; max-age=86400; samesite=lax"
  assert.deepEqual(await start(undefined), { done: [save], cookies: [`${cookie}; secure; httponly`] })
  assert.deepEqual(await start("3", "http://127.0.0.1/oauth"), {
    done: [["end", "3"], save],
    cookies: [`${cookie}; httponly`],
  })
})

test("unavailable storage is reported as itself, and any other error stays as it is", async () => {
  const cause = new StoreUnavailable("gone")
  await assert.rejects(start(undefined, undefined, new Error("protocol", { cause })), (error) => error === cause)
  const other = new Error("protocol", { cause: new Error("a bug") })
  await assert.rejects(start(undefined, undefined, other), (error) => error === other)
})
