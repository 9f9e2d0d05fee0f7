import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { categories, type Examined, type Parts, published, readPart } from "./published.ts"
import { stackedBars } from "./stacked-bars.ts"

const intro = `# Results: clients, tools and pet stores

What [the exam](../exam.md), [the kit for pet stores](../conform.md) and [the defects](../defects.md) say of others, measured by

\`\`\`sh
npm run results          # all, half an hour
npm run results exam     # the clients, three minutes
\`\`\`

Nothing on this page is typed: it is written from the files beside it, which have what was observed. A result says what was observed in one
configuration, not what a program is worth; a client, a tool or a service that does not claim something has not missed it. What is wrong
here is a mistake of ours: the adapters are in \`examples/exam\`, and each task says what it expects.
`

/** Writes the page and its plots, from what was measured last. */
export function writePage(): void {
  const sections = [
    examSection(readPart("exam")),
    conformSection(readPart("conform")),
    defectsSection(readPart("defects")),
  ]
  writeFileSync(join(published, "README.md"), [intro, ...sections].join("\n"))
}

function examSection(part: Parts["exam"] | undefined): string {
  if (!part) return ""
  plot("exam.svg", "Tasks of the exam", part.clients)
  return `## Clients

![Tasks that each client passed, missed, or does not claim](exam.svg)

${matrix("Client", part.clients)}
What a client leaves to the program, such as the loop over pages or the token, the adapter does itself. A POST has an \`Idempotency-Key\` where
the client can send one. Missed:

${missed(part.clients)}
${footer("exam", part)}`
}

function conformSection(part: Parts["conform"] | undefined): string {
  if (!part) return ""
  plot("conform.svg", "Promises of the pet store", part.services)
  return `## Pet stores

![Promises that each service keeps, misses, or does not claim](conform.svg)

${matrix("Service", part.services)}
The chapter *Specification* is for every pet store; a mock, and a server that was generated, have no state by design, and are here to show what
that means.

${footer("conform", part)}`
}

function defectsSection(part: Parts["defects"] | undefined): string {
  if (!part) return ""
  const bars = part.tools.map(({ name, findings }) => ({
    name,
    values: (["found", "missed", "undecided"] as const).map(
      (one) => findings.filter(({ outcome }) => outcome === one).length,
    ),
  }))
  writeFileSync(
    join(published, "defects.svg"),
    stackedBars("Defects, each alone", ["found", "missed", "undecided"], bars),
  )
  const rows = part.tools.map(({ name, version, seconds, findings, falseAlarms }) => [
    `${name} ${version}`.trim(),
    ...categories(findings).map((category) => {
      const own = findings.filter((finding) => finding.category === category)
      return `${own.filter(({ outcome }) => outcome === "found").length} of ${own.length}`
    }),
    String(findings.filter(({ outcome }) => outcome === "found").length),
    String(falseAlarms),
    `${Math.round(seconds / (findings.length + 2))} s`,
  ])
  const columns = part.tools[0] ? categories(part.tools[0].findings) : []
  const never = part.tools[0]?.findings
    .map(({ defect }) => defect)
    .filter((id) =>
      part.tools.every(({ findings }) => findings.find(({ defect }) => defect === id)?.outcome !== "found"),
    )
  return `## Tools that test APIs

![Defects that each tool found](defects.svg)

${table(["Tool", ...columns, "Found", "False alarms", "A run"], rows)}
A false alarm is what a tool reports of the service without a defect; a defect that it reports in the same words is not found. \`petstore
conform\` knows this service, and the others only its description. Found by none: ${never?.map((id) => `\`${id}\``).join(", ") || "no defect"}.

${part.tools.map(({ name, command }) => `- ${name}: \`${command.replaceAll("|", "\\|")}\``).join("\n")}

${footer("defects", part)}`
}

function plot(file: string, title: string, examined: readonly Examined[]): void {
  const outcomes = ["passed", "missed", "unclaimed"] as const
  const bars = examined.map(({ name, version, verdicts }) => ({
    name: `${name} ${version}`.trim(),
    values: outcomes.map((one) => verdicts.filter(({ outcome }) => outcome === one).length),
  }))
  writeFileSync(join(published, file), stackedBars(title, ["passed", "missed", "not claimed"], bars))
}

/** What was passed in each chapter, of what is claimed. */
function matrix(header: string, examined: readonly Examined[]): string {
  const chapters = [...new Set(examined.flatMap(({ verdicts }) => verdicts.map(({ chapter }) => chapter)))]
  const rows = examined.map(({ name, version, verdicts }) => [
    `${name} ${version}`.trim(),
    ...chapters.map((chapter) => score(verdicts.filter((verdict) => verdict.chapter === chapter))),
    score(verdicts),
  ])
  return table([header, ...chapters, "All"], rows)
}

function score(verdicts: Examined["verdicts"]): string {
  const claimed = verdicts.filter(({ outcome }) => outcome !== "unclaimed")
  if (claimed.length === 0) return "–"
  return `${claimed.filter(({ outcome }) => outcome === "passed").length}/${claimed.length}`
}

const missed = (examined: readonly Examined[]): string =>
  examined
    .map(({ name, verdicts }) => ({ name, tasks: verdicts.filter(({ outcome }) => outcome === "missed") }))
    .filter(({ tasks }) => tasks.length > 0)
    .map(({ name, tasks }) => `- ${name}: ${tasks.map((task) => `\`${task.name}\``).join(", ")}`)
    .join("\n")

function footer(name: string, { date, commit, machine, skipped }: Parts["exam" | "conform" | "defects"]): string {
  const missing = skipped.map((one) => `Not measured: ${one.name} (${one.reason}).\n`).join("")
  return `Measured on ${date} at ${commit}: ${machine.cores} cores, ${machine.processor}, Linux ${machine.linux}. [\`${name}.json\`](${name}.json)
${missing}`
}

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map((_, n) => (n === 0 ? "---" : "---:")), ...rows].map((row) => `| ${row.join(" | ")} |\n`).join("")
