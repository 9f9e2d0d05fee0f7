import type { SandboxData } from "../../domain/sandbox/file/contract.ts"
import type { ClockStart, Forks, SandboxHouse, SandboxPlan, SandboxTime } from "../../domain/sandbox/model.ts"
import type { Sandbox } from "../../domain/sandbox/named/contract.ts"
import type { Seed } from "../../domain/sandbox/start/contract.ts"
import { type Clock, timestamp } from "../../kernel/clock.ts"
import { toDuration } from "../../kernel/duration.ts"
import type { Json } from "../../kernel/json/json.ts"
import { sandboxPath } from "../../kernel/network/path.ts"
import type { Mount } from "../../server/exchange/exchange.ts"
import type { Router } from "../../server/exchange/router.ts"
import type { StoreApi } from "../operations/api.ts"
import type { OpenSandbox } from "./sandbox-limits.ts"

export type NamedSandbox = {
  router: Router
  mount: Mount
  api: StoreApi
  /** The text of its file; undefined when it is too large. */
  save(): Promise<Json<{ data: SandboxData }> | undefined>
  readClock: SandboxTime["read"]
  bytes(): number
  /** Makes another one with everything that it has now; the seed is not used. */
  copy: MakeSandbox
  /** Closes long-lived responses. */
  drain(): Promise<void>
  /** Removes everything. Call it once no request is running. */
  close(): Promise<void>
}

/** What a named sandbox is made with. */
export type Making = {
  name: string
  forks: Forks
  house: SandboxHouse
  start: ClockStart
  /** Undefined for the data of the first start as they are. */
  seed: Seed | undefined
  /** What a sandbox file has, instead of a seed. */
  data: SandboxData | undefined
}

export type MakeSandbox = (making: Making) => Promise<NamedSandbox>

/** What an entry keeps when its data are replaced by a copy. */
export type EntryFacts = {
  name: string
  owner: string
  idleMs: number
  copiedFrom: string | undefined
  /** By a monotonic clock. */
  madeAt: number
  /** Number of requests so far. */
  received: number
}

export type SandboxEntry = OpenSandbox &
  EntryFacts & {
    opening: Promise<NamedSandbox>
    opened: NamedSandbox | undefined
    /** Called when its last request has its response. */
    left(): void
  }

const realTime: ClockStart = { at: undefined, isFrozen: false }

/** A sandbox of which only the name is known. */
export const unplanned = (name: string): SandboxPlan => ({
  name,
  seed: undefined,
  from: undefined,
  data: undefined,
  start: realTime,
  idleMs: undefined,
})

type Times = { clock: Clock; steady: Clock }

/** An open sandbox as callers see it. */
export function showSandbox(
  { name, madeAt, usedAt, received, idleMs, copiedFrom }: SandboxEntry,
  opened: NamedSandbox,
  { clock, steady }: Times,
  publicUrl: string,
): Sandbox {
  const inRealTime = (at: number) => timestamp(Math.round(clock.now() - (steady.now() - at)))
  return {
    name,
    url: publicUrl + sandboxPath(name),
    createdAt: inRealTime(madeAt),
    lastRequestAt: inRealTime(usedAt),
    requests: received,
    clock: opened.readClock(),
    bytes: opened.bytes(),
    ...(copiedFrom !== undefined && { copiedFrom }),
    idle: toDuration(idleMs),
  }
}

/** Keeps a sandbox until the work has ended. */
export async function whileInUse<T>(
  steady: Clock,
  sandbox: SandboxEntry,
  work: (opened: NamedSandbox) => Promise<T>,
): Promise<T> {
  sandbox.requests++
  try {
    return await work(await sandbox.opening)
  } finally {
    leave(steady, sandbox)
  }
}

export function leave(steady: Clock, sandbox: SandboxEntry): void {
  sandbox.requests--
  sandbox.usedAt = steady.now()
  if (sandbox.requests === 0) sandbox.left()
}

/** Closes a sandbox once its requests have their responses. One that failed to open has nothing to close. */
export async function closeUnused(sandbox: SandboxEntry): Promise<void> {
  const opened = await sandbox.opening.catch(() => undefined)
  if (!opened) return
  await opened.drain()
  if (sandbox.requests > 0)
    await new Promise<void>((resolve) => {
      sandbox.left = resolve
    })
  await opened.close()
}
