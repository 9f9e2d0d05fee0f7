import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { test } from "node:test"
import { faultsOf, partsOfFaults } from "../../bench/verify/seeded.ts"
import { root } from "../harness/together.ts"

const day = Math.floor(Date.now() / 86_400_000)

test("a seventh of the seeded faults, another one each day, is caught by the tests that they name", () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const part = (day % partsOfFaults) + 1
  const { status, stdout } = spawnSync(process.execPath, [join(root, "bin", "verify.mjs"), `seeded/${part}`], {
    cwd: root,
    // As in npm run verify.
    env: { ...env, TEST_SUITE: "" },
    encoding: "utf8",
  })
  assert.equal(status, 0, stdout)
  const faults = faultsOf(part)
  assert.ok(faults.length >= 2)
  assert.equal(stdout.match(/^caught /gm)?.length, faults.length, stdout)
})
