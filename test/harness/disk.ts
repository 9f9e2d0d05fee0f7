import { copyFileSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import { type Disk, openDisk } from "../../src/storage/sqlite/disk.ts"

type Call = { what: "log" | "database"; done(): void; fail(error: Error): void }

/** A disk that is done, or fails, when a test says so. */
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
    /** The oldest call that is under way, now or later. */
    async next(): Promise<Call> {
      const call = calls.shift()
      if (call) return call
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
      return calls.shift() as Call
    },
    /** Whether nobody waits for the disk. */
    isIdle: () => calls.length === 0,
  }
}

/**
 * A disk that keeps in other files what a power failure would leave in the worst case: of the log and of the database, each as
 * it was when it was last put on the disk.
 */
export const worstDisk = (copy: string) => ({
  openDisk(db: DatabaseSync): Disk {
    const disk = openDisk(db)
    const file = db.location() as string
    const keep = (suffix: string) => {
      copyFileSync(`${file}${suffix}`, `${copy}${suffix}`)
    }
    keep("")
    keep("-wal")
    return {
      ...disk,
      async syncLog() {
        await disk.syncLog()
        keep("-wal")
      },
      async syncDatabase() {
        await disk.syncDatabase()
        keep("")
      },
    }
  },
})
