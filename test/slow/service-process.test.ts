import assert from "node:assert/strict"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { setTimeout as after } from "node:timers/promises"
import { hasPrlimit, runPetstore, type Spawned, type SpawnOptions, spawnPetstore } from "../harness/spawn.ts"

/** A module that a process loads before its own. */
const preloading = (module: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}` })

/** The log lines until it listened, without what differs between starts. */
function logOf({ stdout }: Spawned) {
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"))
  const entries = lines.map((line) => JSON.parse(line))
  return entries
    .slice(0, 1 + entries.findIndex(({ msg }) => msg === "listening"))
    .map(({ level, msg, host, profile }) => ({ level, msg, ...(host && { host }), ...(profile && { profile }) }))
}

/** Its output besides the log. */
const greetingOf = ({ stdout }: Spawned) => stdout.split("\n{")[0]

const listening = (profile: string) => ({ level: 30, msg: "listening", profile })

test("a sandbox greets, and its files are for its user only with any umask", async () => {
  await using petstore = await spawnPetstore({ under: ["sh", "-c", 'umask 000; exec "$0" "$@"'] })
  const { url, dataDir, databaseFile, stderr } = petstore
  assert.match(greetingOf(petstore) ?? "", /^\n {2}Petstore is ready, with the sandbox's sample pets\.\n/)
  assert.ok(petstore.stdout.includes(`    Store      ${url}\n`))
  assert.ok(petstore.stdout.includes(`    Data       ${databaseFile}\n`))
  assert.deepEqual({ log: logOf(petstore), stderr }, { log: [listening("sandbox")], stderr: "" })
  const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" })
  const open = files.filter((file) => statSync(join(dataDir, file)).mode & 0o077)
  assert.deepEqual(open, [])
})

test("a sandbox that other machines reach, or that needs no key, warns", async () => {
  const env = { PETSTORE_HOST: "0.0.0.0", PETSTORE_ANONYMOUS: "special-key" }
  await using petstore = await spawnPetstore({ env })
  assert.match(petstore.stderr, /WARNING[\s\S]+The sandbox listens on 0\.0\.0\.0, beyond this machine/)
  assert.deepEqual(logOf(petstore), [
    { level: 40, msg: "the sandbox, whose keys are public, listens beyond this machine", host: "0.0.0.0" },
    {
      level: 40,
      msg: "PETSTORE_ANONYMOUS is set: requests without a valid credential act for special-key",
    },
    listening("sandbox"),
  ])
})

test("production says where its first key is, once, and does not greet or warn", async () => {
  const env = {
    PETSTORE_PROFILE: "production",
    PETSTORE_PUBLIC_URL: "https://petstore.example",
    PETSTORE_HOST: "0.0.0.0",
  }
  await using petstore = await spawnPetstore({ env })
  const file = join(petstore.dataDir, "first-admin-key.txt")
  assert.equal(
    greetingOf(petstore),
    `The first API key, with every scope, is in ${file}. Keep it and delete that file.`,
  )
  assert.deepEqual([logOf(petstore), petstore.stderr], [[listening("production")], ""])
  await petstore.kill()
  await petstore.restart()
  assert.deepEqual([logOf(petstore), greetingOf(petstore)?.slice(0, 1)], [[listening("production")], "{"])
})

test("a process that cannot start exits with 1 and one line, with a stack only for an error of its own", async () => {
  const ended = async (options: SpawnOptions) => {
    const { code, stdout, stderr } = await runPetstore(options)
    assert.equal(stdout, "")
    return { code, stderr }
  }
  await using first = await spawnPetstore()
  const { port } = new URL(first.url)
  const breaking = 'process.umask=()=>{throw new Error("broken")}'
  const [unknown, taken, broken] = await Promise.all([
    ended({ env: { PETSTORE_PROT: "1" } }),
    ended({ env: { PETSTORE_PORT: port } }),
    ended({ env: preloading(breaking) }),
  ])
  assert.deepEqual([unknown.code, taken.code, broken.code], [1, 1, 1])
  assert.match(unknown.stderr, /^petstore: PETSTORE_PROT is not a setting[^\n]+\n$/)
  const inUse = `listen EADDRINUSE: address already in use 127.0.0.1:${port}`
  assert.equal(taken.stderr, `petstore: ${inUse}. Set PETSTORE_PORT to another port.\n`)
  assert.match(broken.stderr, /^petstore: Error: broken\n {4}at /)
})

test("a disk that is full during the start is one line without advice about the port", {
  skip: !hasPrlimit,
}, async () => {
  const { code, stderr } = await runPetstore({ under: ["prlimit", "--fsize=700000"] })
  assert.deepEqual({ code, stderr }, { code: 1, stderr: "petstore: the disk reported an error\n" })
})

test("a login that waits for its pause is refused when the service stops, and does not delay the end", async () => {
  await using petstore = await spawnPetstore({ env: { PETSTORE_TRUSTED_PROXIES: "127.0.0.1" } })
  const login = `${petstore.url}/api/v3/user/login?username=user2&password=wrong`
  const logInFrom = async (address: string) => (await fetch(login, { headers: { "x-forwarded-for": address } })).status
  let isWaiting = false
  let attempt = Promise.resolve(0)
  for (let n = 1; !isWaiting && n < 200; n++) {
    attempt = logInFrom(`203.0.${n}.1`)
    // Longer than a password takes to hash on a busy machine, and than the first pause.
    isWaiting = (await Promise.race([attempt, after(1_500, true)])) === true
  }
  assert.ok(isWaiting)
  const start = performance.now()
  await petstore.kill()
  assert.equal(await attempt, 429)
  assert.ok(performance.now() - start < 5_000)
})

test("an unhandled error ends the process with 1, after a line in the log", async () => {
  const breaking = 'process.on("SIGUSR2",()=>{throw new Error("broken")})'
  await using petstore = await spawnPetstore({ env: preloading(breaking) })
  assert.deepEqual(await petstore.kill("SIGUSR2"), { code: 1, signal: null })
  const { err } = await petstore.logged({ level: 50, msg: "ended by an error" })
  assert.equal((err as Error).message, "broken")
})
