import { components } from "../contestants/cluster.ts"
import { type Question, questions } from "../contestants/contestant.ts"
import { threads } from "../load/wrk.ts"
import type { KindFigure, ReplicaFigure, Results, Target } from "../results.ts"
import type { Spread } from "../statistics.ts"
import { formatNumber } from "./bar-chart.ts"

/** The page of results; its charts are in the same directory. */
export function renderResults(results: Results): string {
  const { mode, date, commit, machine, rounds, secondsEach, pets, contestants, targets, notes } = results
  const { kinds, replicas, replicasMeasured } = results
  const skipped = contestants.filter((each) => each.skipped !== undefined)
  return `# Performance

Written by \`npm run bench${mode === "full" ? " -- full" : ""}\` on ${date} at commit ${commit}, with Node ${machine.node} on ${machine.cores} cores of
${machine.processor}, ${machine.memoryGiB} GiB, Linux ${machine.linux}. Data: [results.json](results.json).

${notes.map((note) => `> ${note}\n`).join(">\n")}
## Targets

Medians of ${rounds} rounds, with minimum and maximum in brackets. "Of bare" is the throughput relative to a bare \`node:http\` server that
sends the same bytes in the same rounds.

| measure | measured | target | stretch target | |
| --- | --- | --- | --- | --- |
${targets.map(targetRow).join("\n")}

## Comparison

${pets.toLocaleString("en")} pets, 32 connections (64 for creates), ${rounds} rounds of ${secondsEach} s.

![Requests a second for one pet](reads.svg)
![Requests a second for 100 pets](lists.svg)
![Pets created a second](creates.svg)
![Processor time a request for one pet](processor-time.svg)

${(Object.keys(questions) as Question[]).map((question) => questionTable(results, question)).join("\n")}
${skipped.map(({ name, skipped: reason }) => `Not measured: ${name}, because ${reason}.\n`).join("")}
### What this means

Processor time of a request to *Petstore, fresh*, divided by that of the same request to a server by hand:

${byHandTable(results)}
The same page again is cheapest here, because its text is kept; any other page is made of the kept texts of its pets. One pet costs more than
in Rust or Bun, and a durable create several times as much as in any of them:
those servers insert one row and respond. This service checks a credential, counts a limit, names every violation of a body, gives tags and
category their ids, writes the event beside the pet, makes a create repeatable, and keeps a journal of it. If you need a table behind four
routes and none of that, write those hundred lines in Rust, Go or Bun. If you need it, this is what it costs.

## Every kind of request

*Petstore, fresh* after all of the above, so in a process that has served every kind; "reads" is the processor time relative to a read of
one pet in the same rounds.

${kindTable(kinds)}
## Several replicas

Replicas share a PostgreSQL that flushes to the disk, a Redis and, with three replicas, an nginx in front. All of them run on one core,
so the table shows the cost of sharing, not the throughput of three machines. Plan with the processor time of a request on each component.
The floor of a create is a row that \`pgbench\` inserts alone, on the same server, with as many connections. Measured on
${replicasMeasured.date} at commit ${replicasMeasured.commit}.

${typeof replicas === "string" ? `Not measured: ${replicas}.\n` : replicaTable(replicas)}
## Method

\`\`\`sh
sudo apt-get install wrk      # the load
npm run bench                 # some ten minutes once everything is installed; with -- full half an hour
npm run bench -- replicas     # two minutes: several replicas only
\`\`\`

- **Server on one core, load on the other** (\`taskset\`). The load is \`wrk -t${threads} -c32\` with \`bench/load/wrk.lua\`, through loopback.
- **Rounds are interleaved**: every round measures every server with every question, every second round in reverse order, so that drift
  affects all of them alike. Ratios are computed within a round. A run during which other processes used more than a tenth of a core is
  repeated once and then omitted; "rounds" is the number that counted. If most would be omitted, all count.
- **A slow hour of a virtual machine changes ratios too**: system calls and memory become slower than computation. Compare the servers of
  one table, not tables of two dates.
- **Processor time** is the time that the kernel accounts to the server (\`/proc/PID/stat\`), divided by the number of requests.
- **The service runs as people run it**: through the launcher, in the sandbox profile, with its flags, keys, limits, request ids, journal of
  requests and request log (to \`/dev/null\`). "Fresh" started with an empty store and received all pets; "restarted" started with a filled
  store. "Limited key" is a key of an account with a plan.
- **The pets** come from \`bench/pets.ts\`, identical in every run, and are added through the API of each server.
- **p99 beside creates**: the creates come from \`wrk\`, on 64 connections that pause between two of them. **1,000 connections** are measured
  twice: all opened at once, with the requests that wait for their connection to be accepted, and with requests that start a second later.
- **By hand** are servers of some hundred lines in \`bench/contestants/\`: routes, a check of the body, SQLite. **Fastify**, **Bun**,
  **json-server** and **Prism** are installed from the npm registry; **PocketBase** and **Go** are built with Go, **Rust** with Cargo. None
  checks a credential, counts a limit, stores events or writes a log. Their creates are on the disk before the response, in Go, Rust and Bun
  one flush for those that arrive together, except those of PocketBase; json-server writes its file some time after the response, so its
  creates are omitted. Bun's SQLite flushes on the event loop.
- **The floor** writes the body as one row of one table and flushes once for the requests that arrive together: the least that a durable
  create costs here. It has no index, checks nothing and reads nothing.
`
}

function byHandTable({ contestants }: Results): string {
  const asked = ["get", "random", "list", "anyPage", "create"] as const
  const own = contestants.find(({ name }) => name === "Petstore, fresh")?.figures
  const cell = (theirs: typeof own, question: Question): string => {
    const [ours, other] = [own?.[question], theirs?.[question]]
    return ours && other ? formatNumber(ours.processorUs.median / other.processorUs.median) : ""
  }
  const rows = contestants
    .filter(({ name, skipped }) => name.endsWith("by hand") && skipped === undefined)
    .map(({ name, figures }) => `| ${name} | ${asked.map((question) => cell(figures, question)).join(" | ")} |`)
  return `| relative to | ${asked.map((question) => questions[question]).join(" | ")} |
| --- |${" --- |".repeat(asked.length)}
${rows.join("\n")}
`
}

function targetRow({ measure, unit, value, reach, stretch, isMost }: Target): string {
  const meets = (limit: number) => (isMost ? value.median <= limit : value.median >= limit)
  const limit = (bound: number | undefined) => (bound === undefined ? "" : `${isMost ? "≤" : "≥"} ${bound}${unit}`)
  const verdict =
    stretch !== undefined && meets(stretch) ? "stretch reached" : meets(reach) ? "reached" : "**not reached**"
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

const kindTable = (kinds: readonly KindFigure[]): string => `| | µs of processor time | reads | p99 in ms |
| --- | --- | --- | --- |
${kinds.map(({ name, ...figures }) => `| ${name} | ${[figures.processorUs, figures.ofRead, figures.p99Ms].map(formatSpread).join(" | ")} |`).join("\n")}
`

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
