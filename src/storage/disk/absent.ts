/** Returns undefined for the error that a file does not exist, and throws any other. */
export function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error
}
