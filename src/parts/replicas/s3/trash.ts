// Decision: docs/decisions/images.md#in-s3-bytes-never-move-to-the-trash

import type { BucketObjects } from "./bucket.ts"

const dayMs = 24 * 60 * 60 * 1000

/**
 * Trashed keys. Bytes stay in place: an object `trash/KEY/DAY` (the day as in 2026-01-31, UTC) makes a key trashed, and a mark on
 * its parts tells readers. So interrupted or concurrent restores lose nothing.
 */
export function createS3Trash(bucket: BucketObjects, partsOf: (key: string) => Promise<string[]>) {
  const notesOf = (key: string) => Array.fromAsync(bucket.list(`trash/${key}/`, "objects"))

  async function mark(key: string, marked: boolean): Promise<void> {
    await Promise.all((await partsOf(key)).map((name) => bucket.mark(name, marked)))
  }

  /** Removes note and marks; false when there was no note. */
  async function takeBack(key: string): Promise<boolean> {
    const notes = await notesOf(key)
    await mark(key, false)
    await forget(key, notes)
    return notes.length > 0
  }

  const forget = async (key: string, notes: string[]) => {
    await Promise.all(notes.map((day) => bucket.remove(`trash/${key}/${day}`)))
  }

  async function* notes(): AsyncGenerator<{ key: string; day: string }> {
    for await (const name of bucket.list("trash/", "objects")) {
      const [key = "", day = ""] = name.split("/")
      yield { key, day }
    }
  }

  return {
    async put(key: string, at: number): Promise<void> {
      if ((await notesOf(key)).length > 0) return
      const day = new Date(at).toISOString().slice(0, 10)
      await bucket.put(`trash/${key}/${day}`, `trashed on ${day}\n`)
      await mark(key, true)
    },
    takeBack,
    /** Sends no request for the parts of a key without a note. */
    restore: async (key: string): Promise<boolean> => (await notesOf(key)).length > 0 && (await takeBack(key)),
    forget: async (key: string): Promise<void> => forget(key, await notesOf(key)),
    /** Every key in alphabetical order; a key that was trashed twice at the same time may occur twice. */
    async *keys(): AsyncGenerator<string> {
      for await (const { key } of notes()) yield key
    },
    /** The keys whose day ended before this time. */
    async *keysBefore(before: number): AsyncGenerator<string> {
      for await (const { key, day } of notes()) if (Date.parse(day) + dayMs <= before) yield key
    },
  }
}
