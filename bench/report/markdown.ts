import { components } from "../contestants/cluster.ts"
import { type Question, questions } from "../contestants/contestant.ts"
import type { ReplicaFigure, Results, Target } from "../results.ts"
import type { Spread } from "../statistics.ts"
import { formatNumber } from "./bar-chart.ts"

/** The page of results; charts lie beside it. */
export function renderResults(results: Results): string {
  const { mode, date, commit, machine, rounds, secondsEach, pets, contestants, targets, notes } = results
  const { replicas } = results
  const skipped = contestants.filter((each) => each.skipped !== undefined)
  return `# Performance

Written by \`npm run bench${mode === "full" ? " -- full" : ""}\` on ${date} at commit ${commit}, with Node ${machine.node} on ${machine.cores} cores of
${machine.processor}, ${machine.memoryGiB} GiB, Linux ${machine.linux}. The same figures as data: [results.json](results.json).

${notes.map((note) => `> ${note}\n`).join(">\n")}
## What has to be reached

Medians of ${rounds} rounds; in brackets the smallest and the largest. "Of bare" is the throughput as a share of what a bare \`node:http\`
server reaches that sends the same bytes in the same rounds.

| measure | measured | has to reach | better still | |
| --- | --- | --- | --- | --- |
${targets.map(targetRow).join("\n")}

## Beside others

${pets.toLocaleString("en")} pets, 32 connections, ${rounds} rounds of ${secondsEach} s.

![Requests a second for one pet](reads.svg)
![Requests a second for 100 pets](lists.svg)
![Pets created a second](creates.svg)
![Processor time a request for one pet](processor-time.svg)

${(Object.keys(questions) as Question[]).map((question) => questionTable(results, question)).join("\n")}
${skipped.map(({ name, skipped: reason }) => `Not measured: ${name}, because ${reason}.\n`).join("")}
## Several replicas

Replicas share a PostgreSQL that waits for the disk, a Redis and, where there are three, an nginx in front. All of that has one core
here, so this shows what sharing costs and not what three machines do: plan from the processor time of a request on each component.

${typeof replicas === "string" ? `Not measured: ${replicas}.\n` : replicaTable(replicas)}
## How it is measured

\`\`\`sh
sudo apt-get install wrk      # the load
npm run bench                 # some two minutes, once everything is installed; with -- full three quarters of an hour
\`\`\`

- **Server on one core, load on the other** (\`taskset\`). The load is \`wrk -t2 -c32\` with \`bench/load/wrk.lua\`, through loopback.
- **Rounds are interleaved**: every round asks every contestant every question, every second round backwards, so that whatever
  drifts touches all of them alike. Ratios are made within a round. A run during which other processes had more than a tenth of a
  core is repeated once and then left out; "rounds" says how many counted. Where most would be left out, all count.
- **Processor time** is what the kernel charged the server for (\`/proc/PID/stat\`), by the number of requests.
- **The service is started through the launcher**, with its flags, its log, keys, limits and request ids. "Fresh" began with an empty
  store and was given all pets; "restarted" found its store filled. "Limited key" is one of an account with a plan.
- **The pets** are made by \`bench/pets.ts\`, the same in every run, and go in through the API of each contestant.
- **PocketBase** is built from its Go module, **json-server**, **Prism** and **Fastify** are installed from the npm registry, the versions
  as in \`bench/contestants/\`. None checks a credential, counts a limit or writes a log. Creates of ours and of Fastify's are on the
  disk before they are answered, those of PocketBase are not; json-server writes its file some time after it answered, so its creates are left out.
`
}

function targetRow({ measure, unit, value, reach, stretch, isMost }: Target): string {
  const meets = (limit: number) => (isMost ? value.median <= limit : value.median >= limit)
  const limit = (bound: number | undefined) => (bound === undefined ? "" : `${isMost ? "≤" : "≥"} ${bound}${unit}`)
  const verdict =
    stretch !== undefined && meets(stretch) ? "better still" : meets(reach) ? "reached" : "**not reached**"
  return `| ${measure} | ${formatSpread(value)}${unit} | ${limit(reach)} | ${limit(stretch)} | ${verdict} |`
}

function questionTable({ contestants }: Results, question: Question): string {
  const rows = contestants.flatMap(({ name, figures }) => {
    const figure = figures[question]
    if (!figure) return []
    const { requestsPerSecond, ofBare, processorUs, p99Ms, roundsKept } = figure
    const cells = [requestsPerSecond, ofBare, processorUs, p99Ms].map(formatSpread)
    return [`| ${name} | ${cells.join(" | ")} | ${roundsKept} |`]
  })
  return `### ${questions[question]}

| | requests a second | of bare | µs of processor time | p99 in ms | rounds |
| --- | --- | --- | --- | --- | --- |
${rows.join("\n")}
`
}

const replicaTable = (
  figures: readonly ReplicaFigure[],
): string => `| | | requests a second | p99 in ms | ${components.map((name) => `${name}, µs`).join(" | ")} |
| --- | --- | --- | --- |${" --- |".repeat(components.length)}
${figures.map(replicaRow).join("\n")}
`

const replicaRow = ({ question, setup, requestsPerSecond, p99Ms, processorUs }: ReplicaFigure): string =>
  `| ${questions[question]} | ${setup} | ${formatSpread(requestsPerSecond)} | ${formatSpread(p99Ms)} | ${components
    .map((name) => formatNumber(processorUs[name].median))
    .join(" | ")} |`

const formatSpread = ({ median, min, max }: Spread): string =>
  `${formatNumber(median)}${min === max ? "" : ` (${formatNumber(min)}–${formatNumber(max)})`}`
