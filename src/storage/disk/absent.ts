/** Catches the error that something is not there; answers undefined. */
export function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error
}
