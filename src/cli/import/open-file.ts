import { openSync } from "node:fs"
import { UsageError } from "../command/command.ts"
import { describeFileError } from "../command/file-error.ts"

/** Opens the file that a flag names, or its default; throws UsageError when that is impossible. */
export function openFile(path: string, mode: "a" | "w", flag: string): number {
  try {
    return openSync(path, mode)
  } catch (error) {
    throw new UsageError(`the file of ${flag} cannot be written: ${describeFileError(path, error)}`)
  }
}
