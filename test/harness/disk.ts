import { copyFileSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { type Disk, openDisk } from "../../src/core/sqlite/disk.ts"

type Call = { what: "log" | "database"; done(): void; fail(error: Error): void }

/** A disk whose calls complete or fail when the test decides. */
export function heldDisk() {
  const calls: Call[] = []
  let arrived = () => {}
  const hold = (what: Call["what"]) => () =>
    new Promise<void>((done, fail) => {
      calls.push({ what, done, fail })
      arrived()
    })
  return {
    openDisk: (): Disk => ({ syncLog: hold("log"), syncDatabase: hold("database"), close: () => {} }),
    /** The oldest pending call; waits for one if there is none. */
    async next(): Promise<Call> {
      const call = calls.shift()
      if (call) return call
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
      return calls.shift() as Call
    },
    /** Whether no call is pending. */
    isIdle: () => calls.length === 0,
  }
}

/**
 * Copies the files that a power failure would leave in the worst case: the log and the database, each in the state of its last
 * synchronization.
 */
export const worstDisk = (copy: string) => ({
  openDisk(db: DatabaseSync): Disk {
    const disk = openDisk(db)
    const file = db.location() as string
    const copyNow = (suffix: string) => {
      copyFileSync(`${file}${suffix}`, `${copy}${suffix}`)
    }
    copyNow("")
    copyNow("-wal")
    return {
      ...disk,
      async syncLog() {
        await disk.syncLog()
        copyNow("-wal")
      },
      async syncDatabase() {
        await disk.syncDatabase()
        copyNow("")
      },
    }
  },
})
