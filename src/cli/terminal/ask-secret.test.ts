import assert from "node:assert/strict"
import { PassThrough } from "node:stream"
import { type TestContext, test } from "node:test"
import { Interrupted } from "../command/command.ts"
import { askSecret } from "./ask-secret.ts"

/** A terminal of this process, where `type` enters keys, and what was done with it. */
function playTerminal(t: TestContext) {
  const done: string[] = []
  const keys = Object.assign(new PassThrough(), { setRawMode: (isOn: boolean) => done.push(isOn ? "raw" : "cooked") })
  const stdin = Object.getOwnPropertyDescriptor(process, "stdin") as PropertyDescriptor
  Object.defineProperty(process, "stdin", { ...stdin, get: () => keys })
  t.mock.method(process.stderr, "write", (text: string) => done.push(text))
  t.after(() => {
    Object.defineProperty(process, "stdin", stdin)
    keys.destroy()
  })
  return { done, type: (text: string) => keys.write(text) }
}

const prompted = ["raw", "Password: ", "cooked", "\n"]

test("a secret is read to the end of its line, and shown neither before the prompt nor after", async (t) => {
  const { done, type } = playTerminal(t)
  type("sec")
  const secret = askSecret("Password: ")
  type("ret\u007ft!\rmore")
  assert.equal(await secret, "secret!")
  assert.deepEqual(done, prompted)
})

test("Ctrl-C and Ctrl-D at a prompt are an interruption", async (t) => {
  const { done, type } = playTerminal(t)
  for (const key of ["\u0003", "\u0004"]) {
    const secret = askSecret("Password: ")
    type(key)
    await assert.rejects(secret, new Interrupted("SIGINT"))
    assert.deepEqual(done.splice(0), prompted)
  }
})
