import { open } from "node:fs/promises"

/** Resolves when a file's bytes, or a directory's names, are durable. */
export async function flush(path: string): Promise<void> {
  await using file = await open(path)
  await file.sync()
}
