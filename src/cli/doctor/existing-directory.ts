import { access } from "node:fs/promises"
import { dirname } from "node:path"

/** The directory, or its nearest ancestor that exists: the service creates the rest. */
export const findExistingDirectory = (directory: string): Promise<string> =>
  access(directory).then(
    () => directory,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT" || dirname(directory) === directory) throw error
      return findExistingDirectory(dirname(directory))
    },
  )
