import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { isOf, type Origin, type Reliability } from "./reliability.ts"

const root = join(import.meta.dirname, "..", "..")

/** What was measured of another source than this one, or not at all: a line for each. */
export function staleIn({ runs, seeded, soak }: Reliability, names: readonly string[], source: string): string[] {
  const measured: [string, Origin | undefined][] = [
    ...names.map((name): [string, Origin | undefined] => [name, runs[name]]),
    ["seeded", seeded],
    ["soak", soak],
  ]
  return measured.flatMap(([name, origin]) => {
    if (!origin) return `${name}: not measured`
    return isOf(origin, source) ? [] : `${name}: of ${origin.commit}, ${origin.date}${changesSince(origin.source)}`
  })
}

/** How many files have changed since, if git still has that source. */
function changesSince(source: string): string {
  try {
    const changes = execFileSync("git", ["diff", "--shortstat", source, "HEAD:src"], { cwd: root, stdio: "pipe" })
    return `;${changes.toString().trimEnd()}`
  } catch {
    return ""
  }
}
