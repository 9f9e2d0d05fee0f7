import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { leftOut, notPromised, promises } from "./promises.ts"
import { isOf, type Origin, type Reliability, type Run } from "./reliability.ts"
import { fileOf } from "./run-test.ts"
import { soakSection } from "./soak/section.ts"

const root = join(import.meta.dirname, "..", "..")

/** The names of efforts that have a column; others share the last one. */
const columns = ["kills", "faults", "in flight", "calls"]

export function writeReliabilityPage(reliability: Reliability, source: string): void {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  writeFileSync(join(root, "docs", "reliability.md"), renderReliability(reliability, source, version))
}

/** The page as Markdown. What was measured of another source than this one is marked. */
export function renderReliability({ runs, seeded, soak, all }: Reliability, source: string, version: string): string {
  const machines = new Set([...Object.values(runs), seeded, soak].flatMap((one) => one?.machine ?? []))
  return `# Reliability

What is promised, the tests that hold it, how hard each of them tried, and what is left out. They kill processes, cut connections and fill disks of
real services with real databases, and need PostgreSQL, PgBouncer, Patroni, Redis, Go and strace. Run them again:

\`\`\`sh
npm run verify                     # all${all ? `; it took ${Math.ceil(all.seconds / 60)} minutes` : ", in less than half an hour"}
npm run verify -- slow/histories   # one of them
npm run verify -- --soak 60        # an hour of mixed load
npm run verify -- status           # lists and marks what is stale: measured of another source than that of this checkout
\`\`\`

Each run replaces what it measured, with its commit and the git tree of \`src\` there: it is stale unless \`git rev-parse HEAD:src\` begins with that.
The package is not published while anything is. \`npm run test:slow\` runs the tests with fewer seeds and images, without the network of histories,
and without engines that are killed.

| Promise | Tests | Passed |
| --- | --- | ---: |
${promises.map((promise) => rowOfPromise(promise, runs)).join("\n")}

## How hard each test tried

Faults are those that kill nothing: cuts, delays, lost replies. In flight are requests at a kill, or at a fault.

| Test | Passed | Seconds | Kills | Faults | In flight | Calls | Also | Measured of |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |
${Object.keys(runs)
  .flatMap((name) => rowsOfRun(name, runs[name] as Run & Origin, source))
  .join("\n")}

Version ${version}. ${all ? `The last run of everything but the soak took ${all.seconds} s at ${all.commit}, on ${all.date}. ` : ""}Machine: ${[...machines].join("; ")}.

## Seeded faults

${
  seeded
    ? `Faults that are seeded to see them caught, by \`npm run verify -- seeded\`. ${seeded.seconds} s, measured of ${describe(seeded, source)}.

${seeded.faults.map(({ fault, caught, tests }) => `- ${fault} ${caught} of ${tests} tests.`).join("\n")}`
    : "Not measured."
}

## Soak

${soak ? `${soakSection(soak)}\n\nMeasured of ${describe(soak, source)}.` : "Not measured."}

## Left out

${leftOut.map((line) => `- ${line}`).join("\n")}

Not promised:

${notPromised.map((line) => `- ${line}`).join("\n")}

[How histories are judged](decisions/testing.md#histories-are-judged-by-porcupine). Written by \`npm run verify\` from \`docs/reliability.json\`.
`
}

const linkTo = (name: string) => `[${name.replace("slow/", "")}](../${fileOf(name)})`

function rowOfPromise({ promise, tests }: (typeof promises)[number], runs: Reliability["runs"]): string {
  const own = tests.flatMap((name) => runs[name] ?? [])
  const missing = tests.length - own.length
  return rowOf([
    promise,
    tests.map(linkTo).join(", "),
    outcomeOf(own) + (missing > 0 ? `, ${missing} files not run` : ""),
  ])
}

/** A row for a test file, and one for each of its tests that says how hard it tried. */
function rowsOfRun(name: string, run: Run & Origin, source: string): string[] {
  const empty = [...columns, "also"].map(() => "")
  const ofTests = run.tried.map(({ test, seconds, effort, notes }) => {
    const others = Object.entries(effort).filter(([name]) => !columns.includes(name))
    const also = [...others.map((pair) => pair.join(" ")), ...notes].join("; ")
    const cells = [`– ${test}`, "", seconds, ...columns.map((name) => effort[name] ?? ""), also, ""]
    return rowOf(cells.map((cell) => `${cell}`.replaceAll("|", "\\|")))
  })
  return [rowOf([linkTo(name), outcomeOf([run]), run.seconds, ...empty, describe(run, source)]), ...ofTests]
}

const rowOf = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`

/** How many tests passed, and how many did not. */
function outcomeOf(runs: readonly Run[]): string {
  const count = (what: "passed" | "failed" | "skipped") => runs.reduce((sum, run) => sum + run[what], 0)
  const others = (["failed", "skipped"] as const).flatMap((what) => (count(what) > 0 ? `, ${count(what)} ${what}` : []))
  return `${count("passed")}${others.join("")}`
}

function describe(origin: Origin, source: string): string {
  const { commit, date, source: own } = origin
  return `${commit}, \`src\` ${own}, ${date}${isOf(origin, source) ? "" : ", **stale**"}`
}
