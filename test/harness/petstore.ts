import assert from "node:assert/strict"
import { randomUUID } from "node:crypto"
import { copyFileSync, cpSync, existsSync, linkSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import pino from "pino"
import { type ClientOptions, createClient } from "../../src/client/client.ts"
import { readConfig } from "../../src/config.ts"
import type { Overrides } from "../../src/core/assembly/overrides.ts"
import { api } from "../../src/core/domain/api.ts"
import type { Log } from "../../src/core/observability/log.ts"
import type { SandboxOverrides } from "../../src/parts/sandbox/part.ts"
import { partsOf } from "../../src/parts.ts"
import { createPetstore } from "../../src/petstore.ts"
import { type ManualClock, manualClock } from "./clock.ts"
import { createMigratedDatabase, serverUrl, settingsFor } from "./database.ts"
import { temporaryDirectory } from "./directory.ts"
import { repeatedMembers } from "./log-lines.ts"

let template: Promise<string> | undefined

/** Puts a filled sandbox into a data directory. Copying one is faster than migrating and filling it. */
async function copySandbox(directory: string): Promise<void> {
  template ??= openTemplate()
  const from = await template
  const file = join(directory, sqliteName)
  copyFileSync(join(from, sqliteName), file)
  // The service removes the reserve of disk space when it needs it, and never writes to it.
  linkSync(`${join(from, sqliteName)}.reserve`, `${file}.reserve`)
  cpSync(join(from, imagesName), join(directory, imagesName), { recursive: true })
  using db = new DatabaseSync(file)
  db.exec(`UPDATE identity SET id = '${randomUUID()}'; UPDATE origin SET store_id = '${randomUUID()}'`)
}

/** A filled sandbox: in the directory that all processes of a run share, or of this process. */
async function openTemplate(): Promise<string> {
  const { TEST_RUN_DIRECTORY: ofRun } = process.env
  const shared = ofRun === undefined ? undefined : join(ofRun, "sandbox")
  if (shared !== undefined && existsSync(shared)) return shared
  const directory = temporaryDirectory()
  process.once("exit", () => directory[Symbol.dispose]())
  await fillSandbox(directory.path)
  if (shared === undefined) return directory.path
  try {
    renameSync(directory.path, shared)
  } catch {
    // Another process was first, or it is another disk.
  }
  return existsSync(shared) ? shared : directory.path
}

/** A sandbox after its first start, without what must differ between two of them. */
async function fillSandbox(directory: string): Promise<void> {
  const config = readConfig({ PETSTORE_DATA_DIR: directory, PETSTORE_PORT: "0" })
  const petstore = await createPetstore(config, collectLog([]), testOverrides(manualClock()))
  await petstore.close(AbortSignal.abort())
  rmSync(join(directory, imagesName, "database-id"))
  using db = new DatabaseSync(join(directory, sqliteName))
  db.exec("DELETE FROM signing_keys; DELETE FROM clock_checks; DELETE FROM leases; VACUUM")
}

const imagesName = "images"
const sqliteName = "petstore.db"

/** Fast hashing, for users whose passwords are public. */
const cheap = { memoryCost: 8, timeCost: 1, parallelism: 1 }

/** Settings with which a start does not fill a sandbox in the data directory. */
const choosesData = [
  "PETSTORE_PROFILE",
  "PETSTORE_DATA_DIR",
  "PETSTORE_DATABASE_URL",
  "PETSTORE_BLOB_URL",
  "PETSTORE_SEED",
]

export type StartOptions = Overrides &
  SandboxOverrides & {
    /** Settings, as in the environment. */
    env?: Record<string, string>
  }

const testOverrides = (clock: ManualClock): Overrides => ({
  clock,
  steady: clock.steady,
  hashing: cheap,
  housekeeping: false,
})

function collectLog(lines: string[]): Log {
  const requestLines = { write: (line: string) => void lines.push(line) }
  return { log: pino({ base: null }, requestLines), requestLines }
}

/** The whole service in this process on a free port, with the sandbox's data, its own clock, and all log lines collected. */
export async function startPetstore({ env = {}, sandboxes, journals, ...given }: StartOptions = {}) {
  const { delivery = {}, load = {}, ...overrides } = given
  using opened = new DisposableStack()
  const directory = opened.use(temporaryDirectory())
  const shared = serverUrl === undefined ? {} : settingsFor(await createMigratedDatabase(serverUrl))
  if (serverUrl === undefined && !choosesData.some((name) => name in env)) await copySandbox(directory.path)
  const config = readConfig({ PETSTORE_DATA_DIR: directory.path, PETSTORE_PORT: "0", ...shared, ...env })
  const clock = manualClock()
  const lines: string[] = []
  const replaced: Overrides = {
    ...testOverrides(clock),
    load: { loopDelayMs: () => 0, ...load },
    delivery: { timeouts: { connectMs: 1000, attemptMs: 1000 }, ...delivery },
    ...overrides,
  }
  const ofParts = { sandboxes: { keepingMs: 0, ...sandboxes }, ...(journals && { journals }) }
  const petstore = await createPetstore(config, collectLog(lines), replaced, partsOf(config.profile, ofParts))
  const { address } = petstore
  const kept = opened.move()

  return {
    ...petstore.parts,
    firstKey: petstore.firstKey?.secret,
    url: address,
    metricsPort: petstore.metricsPort,
    clock,
    /** Empty when the database is not a file. */
    databaseFile: config.database.kind === "sqlite" ? config.database.file : "",
    imageDirectory: config.images.directory,
    retention: config.retention,
    lines,
    as: (key: string, options: Partial<ClientOptions> = {}) =>
      createClient(api, { url: address, headers: { api_key: key }, ...options }),
    /** A client that sends an access token or a session token. */
    withToken: (token: string) => createClient(api, { url: address, headers: { authorization: `Bearer ${token}` } }),
    async [Symbol.asyncDispose]() {
      const immediately = new AbortController()
      const stopped = petstore.close(immediately.signal)
      immediately.abort()
      await stopped
      kept.dispose()
      for (const line of lines) assert.deepEqual(repeatedMembers(line), [], line)
    },
  }
}

/** For `assert.rejects`: the call is refused with this problem code. */
export const refusedAs = (code: string) => (error: unknown) =>
  (error as { problem?: { code: string } }).problem?.code === code
