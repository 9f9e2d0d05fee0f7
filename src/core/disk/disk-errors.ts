import { StoreUnavailable } from "../domain/ports/store.ts"

const reasons: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk's quota is used up",
  EIO: "the disk reported an error",
  EROFS: "the disk is read-only",
  EACCES: "the directory of the images may not be written",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
}

/** Runs `work` and turns failures of the disk into StoreUnavailable; any other error stays a bug. */
export async function mapDiskErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ""]
    throw reason === undefined ? error : new StoreUnavailable(reason, { cause: error })
  }
}

/** Returns undefined for the error that a file does not exist, and throws any other. */
export function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error
}
