import assert from "node:assert/strict"
import { test } from "node:test"
import { createSandboxClient } from "../../client/sandbox-client.ts"
import { hasClock } from "./serve.ts"

test("a service is a sandbox when it has a clock of its own, and production when there is none", async () => {
  const respondedWith = (status: number) =>
    hasClock(createSandboxClient({ url: "http://a", fetch: async () => Response.json({}, { status }) }))
  assert.equal(await respondedWith(200), true)
  assert.equal(await respondedWith(404), false)
  for (const status of [401, 500]) await assert.rejects(respondedWith(status), { status })
})
