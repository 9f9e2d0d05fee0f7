import { open } from "node:fs/promises"

/** Resolves when a file's bytes, or a directory's names, have reached the disk. */
export async function flush(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
