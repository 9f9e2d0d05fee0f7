import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { NewPet } from "../client/operations/pet.ts"
import type { SettingName } from "../config.ts"
import { readConfig } from "../config.ts"
import { openLogTo } from "../core/observability/log.ts"
import { createSandboxClient, type SandboxClient } from "../parts/sandbox/client/sandbox-client.ts"
import { partsOf } from "../parts.ts"
import { createPetstore as createService } from "../petstore.ts"

export type PetstoreOptions = {
  /** Data directory; by default a temporary one, which is deleted by `close`. */
  dataDir?: string
  /** Uses an in-memory file system for the temporary directory, if the system has one (`/dev/shm`). */
  memory?: boolean
  /** Default: a free port. */
  port?: number
  /**
   * What the service's own sandbox and new named ones contain, and a reset restores: a file of pets (NDJSON, CSV, JSON), a sandbox
   * file, or pets as bodies of `POST /pet`; ten pets by default.
   */
  seed?: string | readonly NewPet[]
  /** Settings of docs/configuration.md by name. The environment is not read. */
  settings?: Partial<Record<SettingName, string>>
  /** Receives each log line as JSON; by default nothing is logged. */
  log?: (line: string) => void
}

/** A service in this process. */
export type Petstore = AsyncDisposable & {
  /** Base URL, such as `http://127.0.0.1:43817`; the API is at `/api/v3`. */
  url: string
  /** Sets up the service's own sandbox or a named one, which has its own data and clock, and reads what happened in it. */
  sandbox(name?: string): SandboxClient
  /** Waits up to a second for requests in progress, stops the service and deletes temporary data. */
  close(): Promise<void>
}

const closingTimeoutMs = 1_000
const memoryDirectory = "/dev/shm"

/** Starts the service of `createPetstore`. */
export async function openPetstore(options: PetstoreOptions): Promise<Petstore> {
  const { dataDir, memory = false, port = 0, seed, settings = {}, log } = options
  await using opened = new AsyncDisposableStack()
  const directory =
    dataDir ?? mkdtempSync(join(memory && existsSync(memoryDirectory) ? memoryDirectory : tmpdir(), "petstore-"))
  if (dataDir === undefined) opened.defer(() => rmSync(directory, { recursive: true, force: true }))
  const seedFile = seed === undefined ? settings.PETSTORE_SEED : fileOf(seed, directory)
  const own = { PETSTORE_DATA_DIR: directory, PETSTORE_PORT: String(port), PETSTORE_SEED: seedFile }
  const config = readConfig({ ...settings, ...own })
  // What is deleted at the end need not be kept first.
  const parts = partsOf(config.profile, dataDir === undefined ? { sandboxes: { keepingMs: 0 } } : {})
  const service = await createService(config, openLogTo(log), {}, parts)
  opened.defer(() => service.close(AbortSignal.timeout(closingTimeoutMs)))
  const open = opened.move()
  const close = () => open.disposeAsync()
  const url = service.address
  const sandbox = (name?: string) => createSandboxClient({ url, ...(name !== undefined && { name }) })
  return { url, sandbox, close, [Symbol.asyncDispose]: close }
}

/** The file of a seed; pets are written to one in the data directory. */
function fileOf(seed: string | readonly NewPet[], directory: string): string {
  if (typeof seed === "string") return resolve(seed)
  const file = join(directory, "seed.json")
  mkdirSync(directory, { recursive: true })
  writeFileSync(file, JSON.stringify(seed))
  return file
}
