import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { askRunning } from "../../src/parts/operator/socket.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { reportEffort } from "../harness/report-effort.ts"
import { inherited, spawnPetstore } from "../harness/spawn.ts"
import { until } from "../harness/until.ts"

const env = { PETSTORE_PROFILE: "production", PETSTORE_PUBLIC_URL: "https://petstore.example/" }
const entry = join(import.meta.dirname, "../../src/cli/main.ts")

/** Runs the command line in a separate process, with the settings of the service. */
async function run(dataDir: string, ...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const options = { env: { ...inherited, ...env, PETSTORE_DATA_DIR: dataDir } }
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [entry, ...argv], options)) }
  } catch (error) {
    return error as Awaited<ReturnType<typeof run>>
  }
}

test("every recovery command works while the service runs, while it is stopped, and after it was killed", async () => {
  await using petstore = await spawnPetstore({ env })
  const { dataDir } = petstore
  const created: string[] = []
  const recover = async () => {
    const key = await run(dataDir, "admin", "create-key")
    assert.equal(key.code, 0, key.stderr)
    created.push(key.stdout.trim())
    for (const command of ["rotate-sealing", "rotate-signing"]) {
      const { code, stderr } = await run(dataDir, "keys", command)
      assert.equal(code, 0, stderr)
    }
  }
  await recover()
  await petstore.kill("SIGKILL")
  await recover()
  await petstore.restart()
  await petstore.kill()
  await recover()
  await petstore.restart()

  assert.equal(new Set(created).size, 3)
  for (const key of created) assert.ok((await petstore.as(key).getOwnAccount()).value.scopes.includes("admin"))
  const { value } = await petstore.as(petstore.firstKey).listAudit()
  const operators = value.filter(({ principal }) => principal === "operator").map(({ action }) => action)
  // A signing key of each algorithm.
  const each = ["signing-key.rotated", "signing-key.rotated", "sealing-key.rotated", "key.created"]
  assert.deepEqual(operators, [...each, ...each, ...each])
  assert.deepEqual(
    { principal: value.at(-1)?.principal, thing: value.at(-1)?.thing },
    { principal: "service", thing: "key:1" },
  )
  const verified = await run(dataDir, "--url", petstore.url, "--api-key", petstore.firstKey, "audit", "verify")
  assert.match(verified.stdout + verified.stderr, /entries are unchanged/)
})

test("a service killed at any time during a rotation of the sealing key starts again and can open all secrets", async (t) => {
  await using petstore = await spawnPetstore({ env })
  const delaysMs = [0, 1, 2, 4, 8, 16]
  reportEffort(t, { kills: delaysMs.length })
  for (const delayMs of delaysMs) {
    const rotating = askRunning(petstore.dataDir, { action: "rotate-sealing" }).catch(() => undefined)
    await pause(delayMs)
    await petstore.kill("SIGKILL")
    await rotating
    // It opens its signing keys before it listens.
    await petstore.restart()
    assert.ok(!existsSync(join(petstore.dataDir, "secret.key.next")))
  }
  // A signing key of each algorithm, of which the service may still be making one.
  const sealed = async () =>
    ((await askRunning(petstore.dataDir, { action: "rotate-sealing" })) as { secrets: number }).secrets
  await until(async () => (await sealed()) === 2, "the secrets are not those of two signing keys")
})

test("without data recovery commands fail and create nothing", async () => {
  using directory = temporaryDirectory()
  const { code, stderr } = await run(directory.path, "admin", "create-key")
  assert.equal(code, 1, stderr)
  assert.match(stderr, /There is no database .+ set PETSTORE_DATA_DIR/)
})
