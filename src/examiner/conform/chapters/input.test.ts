import assert from "node:assert/strict"
import { test } from "node:test"
import { giveVerdict } from "../../verdict.ts"
import type { Subject } from "../subject.ts"
import { ids } from "./input.ts"

/** What a check observes of a service that responds to everything with this text. */
async function observe(name: string, text: string): Promise<string> {
  const subject: Subject = {
    url: "http://a",
    limitedKey: "limited",
    sent: () => [],
    send: async (method, path) => ({ status: 200, headers: new Headers(), text, request: `${method} ${path}` }),
  }
  const task = ids.tasks.find((one) => one.name === name)
  assert.ok(task)
  const { outcome, observed } = await giveVerdict(
    async () => task.examine(subject),
    () => [],
  )
  return `${outcome} ${observed}`
}

test("an id that a parser of JSON rounds may be stored as it is, and not rounded", async () => {
  const [exact, rounded] = ['{"id":9007199254740993}', '{"id":9007199254740992}']
  assert.equal(await observe("never-rounds", exact), "passed undefined")
  assert.equal(await observe("never-rounds", rounded), `missed the response is ${rounded}`)
})
