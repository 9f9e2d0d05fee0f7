import assert from "node:assert/strict"
import { test } from "node:test"
import { RefusedAddress } from "./address-guard.ts"
import { createGuardedConnector } from "./guarded-connector.ts"

test("every connection is checked under the URL of its host and port, and a refused one is not made", async () => {
  const refused = new RefusedAddress("must lead to a public address")
  for (const [hostname, port, url] of [
    ["a.example", "", "https://a.example/"],
    ["a.example", "8443", "https://a.example:8443/"],
    ["192.0.2.1", "443", "https://192.0.2.1:443/"],
    ["::1", "8443", "https://[::1]:8443/"],
    ["[::1]", "", "https://[::1]/"],
  ] as const) {
    const checked: unknown[] = []
    const guard = async (target: unknown) => {
      checked.push(target)
      throw refused
    }
    const made = await new Promise((resolve) =>
      createGuardedConnector(guard, 1_000)({ protocol: "https:", hostname, port }, (...result) => resolve(result)),
    )
    assert.deepEqual({ checked, made }, { checked: [url], made: [refused, null] })
  }
})
