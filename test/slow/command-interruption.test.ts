import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { after, test } from "node:test"
import { serverUrl } from "../harness/database.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { startGate } from "../harness/gate.ts"
import { until } from "../harness/until.ts"
import { usePetstore } from "../harness/use.ts"

const petstore = usePetstore()
const directory = temporaryDirectory()
after(() => directory[Symbol.dispose]())
const launcher = join(import.meta.dirname, "..", "..", "bin", "petstore")

/** Starts a command like a terminal, in a process group that receives the signals. */
function start(url: string, ...argv: string[]) {
  const env = { ...process.env, XDG_STATE_HOME: directory.path, PETSTORE_URL: url }
  const child = spawn(launcher, argv, { env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  let said = ""
  child.stderr.on("data", (part) => {
    said += part
  })
  return {
    signal: (name: NodeJS.Signals) => process.kill(-(child.pid as number), name),
    ended: once(child, "close").then(([code]) => ({ code: code as number, said })),
  }
}

test("Ctrl-C ends an import with 130 and says how to continue, and the same command continues it", async () => {
  const file = join(directory.path, "many.ndjson")
  const lines = Array.from({ length: 1000 }, (_, n) => JSON.stringify({ name: `many ${n}`, photoUrls: [] }))
  writeFileSync(file, `${lines.join("\n")}\n`)
  let interrupt = () => {}
  await using gate = await startGate(
    () => petstore.url,
    (responses) => {
      if (responses === 3) interrupt()
    },
  )
  const first = start(gate.url, "import", file)
  interrupt = () => first.signal("SIGINT")
  const { code, said } = await first.ended
  assert.equal(code, 130, said)
  assert.match(said, /^Interrupted\. Run the same command again to continue\.$/m)
  const again = await start(gate.url, "import", file).ended
  assert.equal(again.code, 0, again.said)
  const { value } = await petstore.as("special-key").listPets({ query: { name: "many ", limit: 1000 } })
  assert.equal(value.length, 1000)
})

for (const [signal, expected] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)
  test(`${signal} immediately ends a command that waits for the service with ${expected}, and an export leaves no file`, async () => {
    const asked = Promise.withResolvers<void>()
    const silent = createServer(() => asked.resolve()).listen(0, "127.0.0.1")
    after(() => silent.close())
    await once(silent, "listening")
    const running = start(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, "pets", "get", "1")
    await asked.promise
    running.signal(signal)
    assert.deepEqual(await running.ended, { code: expected, said: "" })
    silent.closeAllConnections()

    const target = join(directory.path, signal)
    mkdirSync(target)
    let end = () => {}
    await using gate = await startGate(
      () => petstore.url,
      () => end(),
    )
    const exporting = start(gate.url, "export", "--out", join(target, "pets.ndjson"))
    end = () => exporting.signal(signal)
    const { code, said } = await exporting.ended
    assert.deepEqual({ code, said }, { code: expected, said: "The export is incomplete; run the command again.\n" })
    assert.deepEqual(readdirSync(target), [])
  })

const sandboxes = async (): Promise<unknown[]> =>
  (await fetch(`${petstore.url}/api/v3/sandboxes`, { headers: { api_key: "special-key" } })).json() as Promise<
    unknown[]
  >

for (const [argv, signal, expected] of [
  [["exam"], "SIGINT", 130],
  [["exam", "--agent"], "SIGTERM", 143],
  [["defects", "run"], "SIGHUP", 129],
  [["conform"], "SIGINT", 130],
] as const)
  test(`${signal} ends petstore ${argv.join(" ")} with ${expected}, and its sandboxes are deleted`, {
    skip: serverUrl && "named sandboxes need SQLite",
  }, async () => {
    const examined = ["--", "/bin/sh", "-c", "read -r given; echo {}; sleep 1000 & wait"]
    const running = start(petstore.url, ...argv, ...(argv[0] === "conform" ? [petstore.url] : examined))
    await until(async () => (await sandboxes()).length > 0, "there is no sandbox")
    running.signal(signal)
    const { code, said } = await running.ended
    assert.equal(code, expected, said)
    assert.deepEqual(await sandboxes(), [])
  })
