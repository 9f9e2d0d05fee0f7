const reasons: Record<string, string> = {
  ENOENT: "does not exist",
  EACCES: "may not be accessed",
  EPERM: "may not be accessed",
  EISDIR: "is a directory",
  ENOTDIR: "is below a file, not a directory",
}

/** Says in words why a file or directory cannot be used: `pets.csv does not exist`. */
export function describeFileError(path: string, error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException
  return reasons[code] === undefined ? message : `${path} ${reasons[code]}`
}
