import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { MeasuredTable } from "../../src/parts/descriptions/pages/results-page.ts"
import { chapters as examChapters } from "../../src/parts/sandbox/exam/chapters.ts"
import { type Examined, type Outcome, type Parts, published, readPart } from "./published.ts"
import { stackedBars } from "./stacked-bars.ts"
import { footer, linkTo, type Table, toMarkdown } from "./table.ts"
import { findsTable, toolsSection } from "./tools-section.ts"

const intro = `# Results: clients, tools and pet stores

What [the exam](../exam.md), [the kit for pet stores](../conform.md) and [the defects](../defects.md) say of others, measured by

\`\`\`sh
npm run results          # all, many hours, most of them Schemathesis
npm run results exam     # the clients, each twice, ten minutes
npm run results conform  # the pet stores, two minutes
npm run results Newman   # one of the tools; an interrupted measurement continues when it is started again
npm run results cell ky leaves-a-long-wait documented  # one task of one client again, with its requests
\`\`\`

Nothing on this page is typed: it is written from the files beside it, which have what was observed. A result says what was observed in one
configuration, not what a program is worth; a client, a tool or a service that does not claim something has not missed it. What is wrong
here is a mistake of ours: the adapters are in \`examples/exam\` and \`bench/results\`, and each task says what it expects. The head of a column leads to its tasks.
`

/** Writes the page and its plots from what was measured last, and the tables of the service's own page. */
export function writePage(): void {
  const [exam, conform, defects] = [readPart("exam"), readPart("conform"), readPart("defects")]
  const sections = [examSection(exam), conformSection(conform), toolsSection(defects)]
  writeFileSync(join(published, "README.md"), [intro, ...sections].join("\n"))
  writeFileSync(join(published, "tables.json"), tablesFile())
}

/** The tables of the service's own page, as their file. */
export const tablesFile = (): string => `${JSON.stringify(serviceTables(), null, 1)}\n`

function serviceTables(): MeasuredTable[] {
  const [exam, conform, defects] = [readPart("exam"), readPart("conform"), readPart("defects")]
  return [
    ...(exam ? [{ title: "Clients", measured: `Measured on ${exam.date}`, ...scores("Client", exam.clients) }] : []),
    ...(conform
      ? [
          {
            title: "Pet stores",
            measured: `Measured on ${conform.date}.`,
            ...scores("Service", conform.services),
          },
        ]
      : []),
    ...(defects
      ? [
          {
            title: "Tools that test APIs",
            measured: "Each row has the date of its measurement",
            ...findsTable(defects.tools),
          },
        ]
      : []),
  ]
}

function examSection(part: Parts["exam"] | undefined): string {
  if (!part) return ""
  plot("exam.svg", "Tasks of the exam", part.clients)
  return `## Clients

![Tasks that each client passed, missed, or does not claim](exam.svg)

${toMarkdown(scores("Client", part.clients), "exam", sources)}
– is not claimed. A row is of a client as it comes, or as its documentation recommends, by [one rule](../exam.md#with-an-adapter). A POST has an
\`Idempotency-Key\` where the client can send one. What two runs said differently is unstable, and does not count. The worst three misses of each,
and what was observed; [\`exam.json\`](exam.json) has all, with the requests, and \`npm run results cell NAME TASK\`, with \`documented\` at the end
for a client as documented, repeats one:

${part.clients.map(worstMisses).join("")}
${footer("exam", [part], part.skipped)}`
}

function conformSection(part: Parts["conform"] | undefined): string {
  if (!part) return ""
  plot("conform.svg", "Promises of the pet store", part.services)
  return `## Pet stores

![Promises that each service keeps, misses, or does not claim](conform.svg)

${toMarkdown(scores("Service", part.services), "conform", sources)}
Each check says who promises it; other stores need not promise what is ours. A mock, and a server that was generated, have no state by design, and
are here to show what that means. A service that runs already is measured by its address, such as the Java reference, which no registry has:
\`npm run results conform "Java reference=http://127.0.0.1:9402/api/v3"\`.

${footer("conform", [part], part.skipped)}`
}

function plot(file: string, title: string, examined: readonly Examined[]): void {
  const outcomes = ["passed", "missed", "unclaimed"] as const
  const bars = examined.map((one) => ({
    name: labelOf(one),
    values: outcomes.map((outcome) => one.verdicts.filter((verdict) => verdict.outcome === outcome).length),
  }))
  writeFileSync(join(published, file), stackedBars(title, ["passed", "missed", "not claimed"], bars))
}

/** What was passed of each source and in each chapter, of what is claimed. */
function scores(header: string, examined: readonly Examined[]): Table {
  const all = examined.flatMap(({ verdicts }) => verdicts)
  const sources = [...new Set(all.flatMap((verdict) => sourceOf(verdict) ?? []))]
  const chapters = [...new Set(all.map(({ chapter }) => chapter))]
  const rows = examined.map((one) => [
    labelOf(one),
    score(one.verdicts),
    ...sources.map((source) => score(one.verdicts.filter((verdict) => sourceOf(verdict) === source))),
    ...chapters.map((chapter) => score(one.verdicts.filter((verdict) => verdict.chapter === chapter))),
  ])
  return { columns: [header, "All", ...sources, ...chapters], rows }
}

/** Sources of expectations, by the first word of what a task or check says. */
const sourceHeads: Readonly<Record<string, string>> = {
  RFC: "RFC",
  Draft: "Draft",
  Standard: "Standard Webhooks",
  practice: "Practice",
  description: "Description",
  ours: "Ours",
}
const sources = Object.values(sourceHeads)

function sourceOf({ source = "" }: Outcome): string | undefined {
  const [first = ""] = source.split(" ")
  return sourceHeads[first] ?? (first || undefined)
}

const labelOf = ({ name, version, isDocumented }: Examined): string =>
  `${name} ${version}`.trim() + (isDocumented ? ", as documented" : "")

function score(verdicts: Examined["verdicts"]): string {
  const claimed = verdicts.filter(({ outcome }) => outcome === "passed" || outcome === "missed")
  if (claimed.length === 0) return "–"
  return `${claimed.filter(({ outcome }) => outcome === "passed").length}/${claimed.length}`
}

/** What loses or falsifies data is worse than what asks too often, and that worse than what gives up. */
const worstFirst = ["Creation", "Versions", "Broken responses", "Data", "Pages", "Tokens", "Webhooks", "Retry-After"]

function worstMisses(one: Examined): string {
  const tasksThat = (outcome: Outcome["outcome"]) => one.verdicts.filter((verdict) => verdict.outcome === outcome)
  const missed = tasksThat("missed")
  const badness = ({ chapter }: Outcome) =>
    worstFirst.includes(chapter) ? worstFirst.indexOf(chapter) : worstFirst.length
  const worst = missed.toSorted((one, other) => badness(one) - badness(other)).slice(0, 3)
  const sentences = worst.map(
    (task) => `  - [${expectationOf(task)}](${linkTo("exam", task.chapter)}) ${observationOf(task)}\n`,
  )
  const undecided = (["unstable", "unmeasured"] as const).flatMap((outcome) =>
    tasksThat(outcome).map((task) => `  - [${expectationOf(task)}](${linkTo("exam", task.chapter)}) ${outcome}\n`),
  )
  const options = one.options ? `, \`${one.options}\`` : ""
  const lines = [...sentences, ...undecided]
  return lines.length === 0 ? "" : `- **${labelOf(one)}**${options}, of ${missed.length}:\n${lines.join("")}`
}

function expectationOf({ chapter, name }: Outcome): string {
  const tasks = examChapters.find((each) => each.name === chapter)?.tasks
  return tasks?.find((task) => task.name === name)?.expects ?? `\`${name}\``
}

/** As code, because it may contain markup. */
function observationOf({ observed = "" }: Outcome): string {
  const text = observed.replace("the client reported an error: ", "").replaceAll("`", "'")
  return `\`${text.length > observationMax ? `${text.slice(0, observationMax)}…` : text}\``
}

const observationMax = 80
