import assert from "node:assert/strict"
import { test } from "node:test"
import type { Exchange } from "../../server/exchange/exchange.ts"
import { consoleCookies } from "./cookies.ts"

/** A browser that keeps the cookies of responses. */
function browser() {
  const jar = new Map<string, string>()
  const ages: Record<string, number> = {}
  const exchange = {
    header(_name: string, text: string) {
      const [, name = "", value = "", age = ""] = /^([^=]+)=([^;]*);.*max-age=(\d+)/i.exec(text) ?? []
      jar.set(name, value)
      ages[name] = Number(age)
    },
    request: {
      headers: {
        get cookie() {
          return [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
        },
      },
    },
  } as unknown as Exchange
  return { exchange, ages, jar }
}

test("a cookie is for the pages of its site only, or over https for its host", () => {
  const notified = (publicUrl: string) => {
    const sent: string[] = []
    const exchange = { header: (_name: string, text: string) => sent.push(text) } as unknown as Exchange
    const cookies = consoleCookies(
      () => publicUrl,
      () => 0,
    )
    cookies.notify(exchange, "a")
    return sent
  }
  const plain = "max-age=60; samesite=strict; httponly"
  assert.deepEqual(notified("http://127.0.0.1:8080"), [`petstore_notice=YQ; path=/; ${plain}`])
  assert.deepEqual(notified("http://127.0.0.1/s/mine/"), [`petstore_s_mine_notice=YQ; path=/s/mine; ${plain}`])
  const secure = "max-age=60; samesite=strict; secure; httponly"
  assert.deepEqual(notified("https://pets.example/s/mine"), [`__Host-petstore_s_mine_notice=YQ; path=/; ${secure}`])
})

const cookiesAt = (now: () => number = () => 0) => consoleCookies(() => "http://127.0.0.1:8080/", now)

test("a password that was given counts for five minutes, in the session that it was given in", () => {
  let now = 1_000
  const { exchange, ages } = browser()
  const cookies = cookiesAt(() => now)
  assert.equal(cookies.isConfirmed(exchange, "token"), false)
  cookies.confirm(exchange, "token")
  assert.deepEqual(ages, { petstore_confirmed: 300 })
  now += 299_999
  assert.equal(cookies.isConfirmed(exchange, "token"), true)
  assert.equal(cookies.isConfirmed(exchange, "another"), false)
  now += 1
  assert.equal(cookies.isConfirmed(exchange, "token"), false)
})

test("the account that an administrator acts for is kept for thirty days, and only in this session", () => {
  const { exchange, ages } = browser()
  const cookies = cookiesAt()
  cookies.chooseAccount(exchange, "token", 7)
  assert.deepEqual(ages, { petstore_account: 30 * 24 * 3_600 })
  assert.equal(cookies.account(exchange, "token"), "7")
  assert.equal(cookies.account(exchange, "another"), undefined)
})

test("a notice is kept for a minute and shown once", () => {
  const { exchange, ages } = browser()
  const cookies = cookiesAt()
  assert.equal(cookies.takeNotice(exchange), undefined)
  cookies.notify(exchange, "Łata; was added")
  assert.deepEqual(ages, { petstore_notice: 60 })
  assert.deepEqual(cookies.takeNotice(exchange), { text: "Łata; was added", isFailure: false })
  assert.deepEqual(ages, { petstore_notice: 0 })
  assert.equal(cookies.takeNotice(exchange), undefined)
})

test("signing in ends the choice of an account, and signing out ends everything", () => {
  const { exchange, ages, jar } = browser()
  const cookies = cookiesAt()
  cookies.signIn(exchange, "token", 3_600)
  assert.deepEqual(ages, { petstore_console: 3_600 })
  assert.equal(cookies.token(exchange), "token")
  cookies.chooseAccount(exchange, "token", 7)
  cookies.signIn(exchange, "next", 3_600)
  assert.equal(jar.get("petstore_account"), "")
  cookies.confirm(exchange, "next")
  cookies.signOut(exchange)
  assert.deepEqual(ages, { petstore_console: 0, petstore_account: 0, petstore_confirmed: 0 })
  assert.equal(cookies.token(exchange), undefined)
})
