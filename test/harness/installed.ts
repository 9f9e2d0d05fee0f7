import { execFileSync } from "node:child_process"

/** False when the program is installed; otherwise the reason for skipping a test of docs/recipes. */
export function missingProgram(program: string): string | false {
  try {
    execFileSync("which", [program], { stdio: "ignore" })
    return false
  } catch {
    return `NOT TESTED, no ${program}: install it to test the recipes that use it`
  }
}
