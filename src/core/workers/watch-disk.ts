import { constants } from "node:fs"
import { access, statfs } from "node:fs/promises"
import type { Logger } from "pino"
import type { Metric } from "../kernel/measure.ts"

/** Free and total space in bytes, and whether the disk is read-only. */
export type DiskState = { freeBytes: number; sizeBytes: number; isReadOnly: boolean }

const intervalMs = 10_000
const low = { freeBytes: 1024 ** 3, share: 0.1 }
/** A low disk recovers at this factor of the limits, so that one at the edge is not reported repeatedly. */
const recovery = 1.1

export type DiskWatch = Disposable & {
  /** Inspects every disk now, as the timer does every ten seconds. */
  inspect(): Promise<void>
  /** Why nothing can be written, as the end of a sentence; undefined when writes succeed as far as is known. */
  refusal(): string | undefined
  metrics: readonly Metric[]
}

/** Watches the disks with these directories, by their content, and warns before they are full: once, and again after they have recovered. */
export function openDiskWatch(
  directories: Readonly<Record<string, string>>,
  log: Logger,
  inspectDisk: (directory: string) => Promise<DiskState> = diskState,
): DiskWatch {
  const states = new Map<string, DiskState>()
  const isLow = new Set<string>()

  async function inspect(): Promise<void> {
    for (const [holds, directory] of Object.entries(directories)) {
      const state = await inspectDisk(directory).catch(() => undefined)
      if (state === undefined) continue
      states.set(holds, state)
      reportChange(holds, directory, state)
    }
  }

  function reportChange(holds: string, directory: string, { freeBytes, sizeBytes }: DiskState): void {
    const wasLow = isLow.has(holds)
    const factor = wasLow ? recovery : 1
    const nowLow = freeBytes < low.freeBytes * factor || freeBytes < sizeBytes * low.share * factor
    if (nowLow === wasLow) return
    const facts = { disk: holds, path: directory, freeBytes, sizeBytes }
    if (nowLow) {
      isLow.add(holds)
      log.warn(facts, "the disk is nearly full")
    } else {
      isLow.delete(holds)
      log.info(facts, "the disk has room again")
    }
  }

  const metric = (what: "free" | "size", help: string): Metric => ({
    name: `petstore_disk_${what}_bytes`,
    help,
    type: "gauge",
    labels: ["disk"],
    read: () => [...states].map(([disk, state]) => ({ labels: { disk }, value: state[`${what}Bytes`] })),
  })
  const timer = setInterval(() => void inspect(), intervalMs).unref()
  return {
    inspect,
    refusal: () => ([...states.values()].some(({ isReadOnly }) => isReadOnly) ? "the disk is read-only" : undefined),
    metrics: [
      metric("free", "Free space on the disk, by its content"),
      metric("size", "Size of the disk, by its content"),
    ],
    [Symbol.dispose]: () => clearInterval(timer),
  }
}

async function diskState(directory: string): Promise<DiskState> {
  const { bavail, blocks, bsize } = await statfs(directory)
  const isReadOnly = await access(directory, constants.W_OK).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === "EROFS",
  )
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize, isReadOnly }
}
