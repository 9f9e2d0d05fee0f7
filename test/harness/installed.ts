import { execFileSync } from "node:child_process"

/** False when the program is there; else what is told in the place of a test of docs/recipes that needs it. */
export function missingProgram(program: string): string | false {
  try {
    execFileSync("which", [program], { stdio: "ignore" })
    return false
  } catch {
    return `NOT TESTED, no ${program}: install it to try what docs/recipes does with it`
  }
}
