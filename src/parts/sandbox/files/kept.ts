// Decision: docs/decisions/sandbox.md#a-stop-keeps-the-files-of-named-sandboxes

import { randomBytes } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { unlessAbsent } from "../../../core/disk/disk-errors.ts"
import { flush } from "../../../core/disk/flush.ts"
import { makePrivateDirectory, modes } from "../../../core/disk/private.ts"
import type { ClocksState, SandboxClocks } from "../clock/clock.ts"
import type { Seed } from "../seeds/contract.ts"
import { asideName, keptName } from "./process-directory.ts"
import { databaseFileName, type TemporaryData } from "./temporary.ts"

/** What is known of a kept sandbox before it is opened. */
type KeptFacts = {
  name: string
  owner: string
  idleMs: number
  copiedFrom?: string | undefined
  /** Number of requests so far. */
  received: number
  /** By a monotonic clock that continues with the next process, as that of the limits does. */
  madeAt: number
  usedAt: number
  /** That with which it started or was reset. */
  seed?: Seed | undefined
  clocks: ClocksState
  /** The key under which its secrets are sealed, in base64. */
  sealingKey: string
  /** Of the database, its log and the images; and of each alone. */
  bytes: number
  imageBytes: number
  databaseBytes: number
}

/** What a sandbox is known by, and the signal after which it is too late to keep it. */
export type Keeping = {
  facts: Pick<KeptFacts, "name" | "owner" | "idleMs" | "copiedFrom" | "received" | "madeAt" | "usedAt">
  late: AbortSignal
}

type Closed = {
  data: TemporaryData
  clocks: Pick<SandboxClocks, "state">
  keys: { secretKey: Uint8Array }
  seed(): Seed | undefined
}

/** A sandbox whose files have outlived its process, and that is not open. */
export type KeptSandbox = {
  facts: KeptFacts
  directory: string
  /** Throws unless the database is as long as it was. */
  requireWhole(): Promise<void>
  remove(): Promise<void>
  /** Puts its files where no start looks. */
  setAside(reason: unknown): Promise<void>
}

type KeptSandboxes = {
  /** Those of ended processes, in the order in which they were made. What cannot be read is set aside. */
  list(): KeptSandbox[]
  /** Keeps the files of a closed sandbox, or removes them once it is late or when that fails. */
  keep(closed: Closed, keeping: Keeping): Promise<void>
}

/** Of the facts; the database has its own, which a newer service updates. */
const version = 1
const factsName = "sandbox.json"

/** Sandboxes that wait below `parent` for their next request. `report` receives each that is set aside. */
export function keptSandboxes(parent: string, report: (error: unknown, message: string) => void): KeptSandboxes {
  const [directory, aside] = [join(parent, keptName), join(parent, asideName)]

  async function setAside(name: string, reason: unknown): Promise<void> {
    const target = join(aside, name)
    report(reason, `a named sandbox cannot be restored; its files are in ${target}`)
    makePrivateDirectory(aside)
    // Another process with a database of its own may have taken it.
    await rename(join(directory, name), target).catch(unlessAbsent)
  }

  /** The facts first: without them the rest is no sandbox. */
  async function remove(name: string): Promise<void> {
    await rm(join(directory, name, factsName), { force: true })
    await rm(join(directory, name), { recursive: true, force: true })
  }

  async function add({ data, clocks, keys, seed }: Closed, facts: Keeping["facts"], late: AbortSignal): Promise<void> {
    const kept: KeptFacts = {
      ...facts,
      seed: seed(),
      clocks: clocks.state(),
      sealingKey: Buffer.from(keys.secretKey).toString("base64"),
      bytes: data.bytes(),
      imageBytes: data.imageBytes(),
      databaseBytes: (await stat(data.databaseFile)).size,
    }
    await writeFile(join(data.directory, factsName), JSON.stringify({ version, ...kept }), { mode: modes.file })
    for (const name of ["", ...(await readdir(data.directory, { recursive: true }))]) {
      late.throwIfAborted()
      await flush(join(data.directory, name))
    }
    makePrivateDirectory(directory)
    await rename(data.directory, join(directory, randomBytes(6).toString("hex")))
    await flush(directory)
  }

  function read(name: string): KeptSandbox | undefined {
    try {
      const facts = JSON.parse(readFileSync(join(directory, name, factsName), "utf8")) as KeptFacts & {
        version: number
      }
      if (facts.version !== version) throw new Error(`${factsName} is of another version`)
      return {
        facts,
        directory: join(directory, name),
        async requireWhole() {
          const { size } = await stat(join(directory, name, databaseFileName))
          if (size !== facts.databaseBytes) throw new Error("the database is cut off")
        },
        remove: () => remove(name),
        setAside: (reason) => setAside(name, reason),
      }
    } catch (error) {
      const ending = (error as NodeJS.ErrnoException).code === "ENOENT" ? remove(name) : setAside(name, error)
      ending.catch((failure: unknown) => report(failure, "the files of a named sandbox could not be moved"))
      return undefined
    }
  }

  return {
    list: () =>
      namesIn(directory)
        .flatMap((name) => read(name) ?? [])
        .sort((one, other) => one.facts.madeAt - other.facts.madeAt),
    keep: (closed, { facts, late }) =>
      add(closed, facts, late).catch(async (error: unknown) => {
        report(error, `the sandbox ${facts.name} is not kept`)
        await closed.data.remove()
      }),
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
