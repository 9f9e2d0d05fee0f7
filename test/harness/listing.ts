import promises from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"

/** Adds a name to each list of the names in this directory, as if it were removed right after it was listed. */
export function alsoListing(directory: string, name: string): Disposable {
  const { readdir } = promises
  const listing = async (path: string): Promise<string[]> => [
    ...(await readdir(path)),
    ...(path === directory ? [name] : []),
  ]
  Object.assign(promises, { readdir: listing })
  syncBuiltinESMExports()
  return {
    [Symbol.dispose]() {
      Object.assign(promises, { readdir })
      syncBuiltinESMExports()
    },
  }
}
