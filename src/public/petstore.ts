import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readConfig } from "../config/config.ts"
import type { SettingName } from "../config/settings.ts"
import { openLogTo } from "../observability/log.ts"
import { createPetstore as createService } from "../petstore.ts"

export type PetstoreOptions = {
  /** Where the data stays; without one it is in a temporary directory and gone after `close`. */
  dataDir?: string
  /** Keeps the temporary directory in memory, where the system has a file system there (`/dev/shm`). */
  memory?: boolean
  /** A free one unless told. */
  port?: number
  /** Any setting of docs/configuration.md, by its name. The environment is not read. */
  settings?: Partial<Record<SettingName, string>>
  /** Is handed each line of the log, in JSON; nobody is unless told. */
  log?: (line: string) => void
}

/** A service in this process. */
export type Petstore = AsyncDisposable & {
  /** Where it listens, such as `http://127.0.0.1:43817`; the API is at `/api/v3` below it. */
  url: string
  /** Lets requests under way finish for a second, stops everything and removes what is temporary. */
  close(): Promise<void>
}

const closingTimeoutMs = 1_000
const memoryDirectory = "/dev/shm"

/** Starts a whole service in this process: the sandbox on a free port of 127.0.0.1, silent, its data forgotten afterwards. */
export async function createPetstore(options: PetstoreOptions = {}): Promise<Petstore> {
  const { dataDir, memory = false, port = 0, settings = {}, log } = options
  await using opened = new AsyncDisposableStack()
  const directory =
    dataDir ?? mkdtempSync(join(memory && existsSync(memoryDirectory) ? memoryDirectory : tmpdir(), "petstore-"))
  if (dataDir === undefined) opened.defer(() => rmSync(directory, { recursive: true, force: true }))
  const config = readConfig({ ...settings, PETSTORE_DATA_DIR: directory, PETSTORE_PORT: String(port) })
  const service = await createService(config, openLogTo(log))
  opened.defer(() => service.stop(AbortSignal.timeout(closingTimeoutMs)))
  const open = opened.move()
  const close = () => open.disposeAsync()
  return { url: service.address, close, [Symbol.asyncDispose]: close }
}
