import assert from "node:assert/strict"
import { test } from "node:test"
import { exchangeOf } from "../../../test/harness/exchange.ts"
import type { ProblemCode } from "../../domain/problems/problems.ts"
import { Problem } from "../../kernel/problem.ts"
import type { Console } from "./console.ts"
import { enterSandbox } from "./enter-sandbox.ts"

type Given = { name?: string; hasAdmin?: boolean; refusal?: ProblemCode }

/** Where entering a sandbox leads, its cookies, and who was signed in. */
async function enter({ name = "mine", hasAdmin = true, refusal }: Given) {
  const signedIn: object[] = []
  const logIn = {
    name: "logIn",
    endpoint: { method: "POST", path: "/user/login" },
    readParameters: () => ({}),
    async invoke(_exchange: unknown, { received }: { received: Buffer }) {
      signedIn.push(JSON.parse(String(received)))
      if (refusal) throw new Problem(refusal, "No")
      return { json: '"pss_1"', headers: {}, isReplayed: false }
    },
  }
  const ports = {
    publicUrl: () => "http://127.0.0.1/s/mine",
    clock: { now: () => 0 },
    policy: { sessionMs: 60_000 },
  }
  const api = { invocables: [logIn], receive: () => {}, admitKnown: () => {}, ports }
  const people = [{ role: "staff", username: "staff", password: "s" }]
  const console = {
    sandbox: { hold: (_exchange: unknown, wanted: string) => (wanted === "mine" ? api : undefined) },
    samplePeople: hasAdmin ? [...people, { role: "admin", username: "boss", password: "p" }] : people,
  }
  const exchange = exchangeOf("/console/sandbox")
  const cookies: string[] = []
  Object.assign(exchange, { header: (_name: string, value: string) => cookies.push(value) })
  const { status, headers } = await enterSandbox(console as unknown as Console, exchange, name)
  return { status, location: headers[headers.indexOf("location") + 1], cookies, signedIn }
}

test("a person enters a sandbox as its sample administrator, for as long as a session lasts", async () => {
  const inside = { status: 303, location: "/s/mine/console" }
  const boss = { username: "boss", password: "p" }
  const cookie = "petstore_s_mine_console=pss_1; path=/s/mine; max-age=60; samesite=strict; httponly"
  assert.deepEqual(await enter({}), { ...inside, cookies: [cookie], signedIn: [boss] })
  assert.deepEqual(await enter({ refusal: "invalid-credentials" }), { ...inside, cookies: [], signedIn: [boss] })
  assert.deepEqual(await enter({ hasAdmin: false }), { ...inside, cookies: [], signedIn: [] })
})

test("an unknown sandbox is not entered, and neither is one that fails", async () => {
  await assert.rejects(enter({ name: "other" }), { code: "sandbox-not-found", detail: "There is no sandbox other" })
  await assert.rejects(enter({ refusal: "unavailable" }), { code: "unavailable" })
})
