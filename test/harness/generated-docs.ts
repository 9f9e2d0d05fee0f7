import { formatCommandHelp, formatTopHelp } from "../../src/cli/arguments/help.ts"
import type { Command, Flag } from "../../src/cli/command/command.ts"
import type { SettingName } from "../../src/config.ts"
import { describeDefault, type Setting } from "../../src/core/config/setting.ts"
import { tags } from "../../src/core/domain/tags.ts"
import type { Endpoint } from "../../src/core/kernel/endpoint/endpoint.ts"
import { jsonType } from "../../src/core/kernel/network/media-types.ts"
import type { ProblemKind } from "../../src/core/kernel/problem.ts"

/** `docs/problems.md`, from the table of problems. */
export const problemsPage = (problems: Record<string, ProblemKind>): string => `# Problems

Every response of the service that is not a success, as \`application/problem+json\` (RFC 9457). \`code\` is stable;
\`type\` leads to the page \`/problems/{code}\` of the service that responded. Generated from \`src/core/domain/problems/problems.ts\`.

${table(
  ["Status", "Code", "What happened, what to do"],
  Object.entries(problems).map(([code, { status, meaning }]) => [String(status), `\`${code}\``, meaning]),
)}`

type Defect = {
  id: string
  category: string
  code?: number
  wrong: string
  breaks: string
  see: string
  operations: readonly string[]
  seenWith?: readonly string[]
}

/** `docs/defects.md`, from the catalogue of defects. */
export const defectsPage = (defects: readonly Defect[]): string => `# Defects on purpose

How good is a tool that tests APIs? A sandbox can have the mistakes of this list, each of a kind that services have, so that it is known what
there is to find. They are switched on for a sandbox of its own, and end with a reset:

\`\`\`text
curl -X PUT $URL/api/v3/sandbox/defects -H 'api_key: special-key' -H 'content-type: application/json' -d '{"defects":["update-drops-tags"]}'
\`\`\`

\`PETSTORE_DEFECTS=update-drops-tags,emoji-fails npm start\` starts the service with some. Production has none, and refuses that setting.
Requests to \`/sandbox\` and \`/sandboxes\` are always correct. With several defects, one may hide another: measure one at a time, as
[\`petstore defects run\`](cli.md#measuring-a-tool-that-tests-apis) does.

\`Code\` is the category in the fault catalogue of [Web Fuzzing Commons](https://github.com/WebFuzzing/Commons), where there is one. \`See\` are
arguments of curl, where \`$URL\` is the address of the sandbox, such as \`http://127.0.0.1:8080/s/try\`. \`Where\` has the operations that have it, and
what else is needed, one of these: a key of the Free plan, a key that may only read pets, the token of a customer, a header, a receiver of webhooks.
\`petstore defects run\` gives a tool each of these but the receiver.
Generated from \`src/parts/sandbox/defects/catalogue/\`: ${defects.length} defects.
${[...new Set(defects.map(({ category }) => category))]
  .map(
    (category) => `
## ${category}

${table(
  ["Defect", "Code", "What is wrong", "The rule it breaks", "Where", "See"],
  defects
    .filter((one) => one.category === category)
    .map(({ id, code, wrong, breaks, see, operations, seenWith }) => [
      `\`${id}\``,
      code === undefined ? "" : `F${code}`,
      wrong,
      breaks,
      [operations.map((name) => `\`${name}\``).join(", ") || "any", seenWith?.join(" or ")].filter(Boolean).join("; "),
      `\`${see.replaceAll("|", "\\|")}\``,
    ]),
)}`,
  )
  .join("")}`

type Chapter = { name: string; tasks: readonly { name: string; expects: string; source?: string }[] }

/** `docs/exam.md`, from the chapters of the exam. */
export const examPage = (chapters: readonly Chapter[]): string => `# An exam for clients

How good is a client of an API when the service is slow, refuses, or closes the connection? It gets a task, a sandbox fails as the task says,
and the journal shows what the client sent.

## In the browser

\`http://127.0.0.1:8080/exam\` shows a URL, a key, and the tasks in words. Point any program there: a test, Postman, curl. A light turns as its
requests arrive, or when none has come for ten seconds. ${countObserved(chapters)} tasks are judged so; the others need an adapter. The result is
kept as JSON, JUnit or a badge, until the sandbox or the service ends. A build server does the same:

\`\`\`sh
URL=http://127.0.0.1:8080/s/exam-1/api/v3
curl -X POST $URL/sandbox/exam/repeats-after-503 -H 'api_key: special-key'
curl --retry 3 $URL/pet/1 -H 'api_key: special-key'
curl $URL/sandbox/exam -H 'api_key: special-key'
\`\`\`

## With an adapter

\`petstore exam\` has a sandbox for each task, and also judges what the client made of the responses:

\`\`\`console
$ ./petstore exam -- node examples/exam/fetch.mjs
$ ./petstore exam --only Backoff,creates-once --junit exam.xml -- ./my-adapter
\`\`\`

The exit code is 1 when a task is missed or not measured, which a mistake of the adapter or a slow service can cause. What an adapter does not
claim is not missed. \`--json\` has what was observed and the requests. [The results](results/README.md) are those of common clients. Both need
[named sandboxes](sandbox.md#a-sandbox-for-each-test-run).

The adapter, a page in the language of the client, reads a line of JSON for each action, and writes one. It is started for each task, and ends
when its input does. An attempt of the client must not take longer than \`timeoutSeconds\`, and an action not longer than twenty seconds, after
which the adapter is killed:

\`\`\`json
{"task":"waits-in-seconds","do":"readPet","url":"http://127.0.0.1:8080/s/exam-1/api/v3","key":"psk_…","timeoutSeconds":2,"input":{"id":1}}
\`\`\`

\`\`\`json
{"result":{"id":1,"name":"Cat 1","photoUrls":[]}}
\`\`\`

\`{"error":"…"}\` is an error that the client reported, \`{"failed":"…"}\` a mistake of the adapter itself, and \`{"unclaimed":"…"}\` an action
that it does not do. \`petstore exam --try -- COMMAND\` shows these lines for one read without a fault. Adapters of common clients are in
\`examples/exam/\`, and follow one rule:

- A client is examined *as it comes*, with the timeout only, and *as its documentation recommends*: with retries, a deadline for all attempts,
  jitter where it offers it, and the statuses that may be repeated. \`describe\` says with which options.
- What a client does not offer it lacks: \`retries\` (of responses), \`reconnects\` (after a connection that closed), \`keys\` (it makes an
  \`Idempotency-Key\` itself), \`duplicates\` (it notices messages that arrive again). Tasks that need this are not claimed.
- What only the adapter could do, such as a loop over pages or the use of a token, it leaves out. It does not look at \`task\`.

${table(
  ["Action", "Input", "Result"],
  [
    [
      "`describe`",
      "",
      "`options`: a text, and `lacks`: a list of the words above; asked before the tasks, may be unclaimed",
    ],
    ["`readPet`", "`id`", "the pet, of `GET /pet/{id}`"],
    ["`addPet`", "`pet`", "the pet that was added, with `POST /pet`"],
    ["`listPets`", "`limit`", "the ids of all pets, of `GET /pet?limit=` and the pages that follow"],
    ["`renamePet`", "`id`, `name`", "the pet with that name: it is read, and replaced with `PUT /pet`"],
    [
      "`readPets`",
      "`ids`, `token`: `url`, `clientId`, `clientSecret`",
      "the pets, read at once with an access token (grant `client_credentials`) instead of the key",
    ],
    ["`receiveEvents`", "`secret`", "the URL of a receiver of webhooks that was started"],
    ["`receivedEvents`", "", "the `webhook-id` of each event that it processed"],
  ],
)}
## The tasks

Generated from \`src/parts/sandbox/exam/chapters/\`: ${chapters.reduce((sum, { tasks }) => sum + tasks.length, 0)} tasks.
${chapterTables(chapters, "A client that passes")}`

const countObserved = (chapters: readonly Chapter[]): number =>
  chapters.reduce((sum, { tasks }) => sum + tasks.filter((task) => "steps" in task).length, 0)

const chapterTables = (chapters: readonly Chapter[], header: string): string =>
  chapters
    .map(
      ({ name, tasks }) => `
### ${name}

${table(
  ["Task", header, ...(tasks.some(({ source }) => source) ? ["Source"] : [])],
  tasks.map(({ name, expects, source }) => [`\`${name}\``, expects, ...(source ? [source] : [])]),
)}`,
    )
    .join("")

/** `docs/conform.md`, from the chapters of the kit. */
export const conformPage = (chapters: readonly Chapter[]): string => `# A kit for pet stores

Does a service with the interface of the pet store keep its promises? \`petstore conform\` sends requests to any of them and judges the responses,
with nothing but HTTP:

\`\`\`console
$ ./petstore conform http://127.0.0.1:8080/api/v3
$ ./petstore conform http://127.0.0.1:8081/v3 --key secret --limited-key small --only Specification,Ids
\`\`\`

Each check has a source, and the score is also given by source: the description of the public Petstore, an RFC, or *ours*, which other stores
need not promise. Where a service does not have what a check needs, such as webhooks or a user that can be registered, it is not claimed rather
than missed. \`--claims Pages,Versions\`, or \`--claims all\`, says what the service claims: then that is missed. A line for each miss says
what was observed, with the requests and their responses. The exit code is 1 when something is missed; \`--json\` and \`--junit FILE\` are for
programs.

- At a sandbox of Petstore it makes a named one, and deletes it at the end. In any other service each check removes the pets, orders, users,
  webhooks and keys that it adds. A check says the same alone and in any order, but the last one uses up the requests of \`--limited-key\`.
- An address without a path means \`/api/v3\`; with a final slash, as in \`http://127.0.0.1:8081/\`, the API is at the root.
- \`--key\` allows everything; \`--limited-key\` has 60 requests a minute; \`--reader-key\` may only read pets.
- Webhooks are sent to a receiver on 127.0.0.1, so the service must run on this machine for them.

The tests of this service carry out the same checks. [The results](results/README.md) are those of other pet stores.

## The checks

Generated from \`src/examiner/conform/chapters/\`: ${chapters.reduce((sum, { tasks }) => sum + tasks.length, 0)} checks.
${chapterTables(chapters, "What is promised")}`

/** `docs/agents.md`, from the chapters of the exam for agents. */
export const agentsPage = (chapters: readonly Chapter[]): string => `# An exam for agents

How reliable is an agent when the service that it uses fails, is wrong, or has other callers? \`petstore exam --agent\` gives it tasks in words,
each in a sandbox of its own, and judges what it left there and what it sent:

\`\`\`console
$ npm start
$ ./petstore exam --agent -- examples/agents/claude.sh
$ ./petstore exam --agent --times 3 --only "Others at work" --junit agents.xml -- ./my-agent
\`\`\`

## The agent

The command is started for each task, four at once. It has the words of the task as its last argument, on standard input and as \`EXAM_TASK\`;
\`MCP_URL\`, [tools](mcp.md) by the Model Context Protocol; and \`MCP_KEY\`, their key, for the header \`api_key\`. It must end within two minutes with
exit code 0, and is killed otherwise, with what it started. Where the words ask for a line of JSON, the last one that it writes counts. Give it no
shell: it could find the exam.

\`examples/agents/\` has a page each for \`claude -p\`, \`codex exec\`, \`gemini -p\` and \`goose\`, which were not run with a model; and
\`openai_loop.py\`, a loop around any model behind an API like that of OpenAI, with the official SDK of MCP, tested with a server that plays the model.

## The verdict

No model judges. A task is passed when all of these are right:

- **What it left**: pets, orders, users and webhooks equal those of a copy of the sandbox in which the right changes were made. Each difference
  is shown.
- **What it sent**, by the [journal](journal.md): no change that the task has no need of, no credential as data, no repetition before
  \`Retry-After\`, not more requests than are allowed.
- **What it said**: the members of its line of JSON.

With \`--times 3\` a task is passed when it is each time. \`--json\`, \`--junit\` and the exit code are as in the [exam for clients](exam.md).

## The tasks

Generated from \`src/parts/sandbox/exam/agent/chapters/\`: ${chapters.reduce((sum, { tasks }) => sum + tasks.length, 0)} tasks.
${chapterTables(chapters, "An agent that passes")}
## Beside others

| | Its tools are | What goes wrong | Judged by |
| --- | --- | --- | --- |
| tau-bench | functions, and a user whom a model plays | the user's wishes | the end state, words of the output |
| ToolBench-X | functions | five kinds of faults in them | the result |
| AgentDojo | functions | instructions in data | functions of the end state |
| MCPMark | real services | nothing on purpose | a script for each task |
| this exam | an HTTP service | faults of HTTP, wrong responses, other callers, time, instructions in data | the end state, the journal, a line of JSON |

None of the others has real faults of HTTP, lies of which the truth is known, a clock that moves and a record of each request, and runs offline
without a model that judges. This exam measures neither dialogue nor long plans. Its tasks are public: a model may have been trained with them.
`

/** `docs/api.md`, from the contracts, by tag; `sandbox` are the operations that only sandboxes have. */
export const apiPage = (
  api: Record<string, Endpoint>,
  sandbox: Record<string, Endpoint>,
): string => `# The API on one page

Paths are below \`/api/v3\`. A scope is what a credential may do; \`any\` accepts every credential, \`open\` needs none. \`/docs\` of a service
has parameters, bodies and responses. An operation has the same name in [the client](client.md), in [MCP](mcp.md) and in the descriptions, and a
command of \`petstore\`. Generated from the contracts in \`src/core/domain/\`.

${Object.entries(tags)
  .map(([tag, meaning]) => ({
    tag,
    meaning,
    group: Object.entries(api).filter(([, endpoint]) => endpoint.tag === tag),
  }))
  .filter(({ group }) => group.length > 0)
  .map(({ tag, meaning, group }) => operations(tag, meaning, group))
  .join("\n")}
${operations("sandbox", "Only in a sandbox: [what they are for](sandbox.md)", Object.entries(sandbox))}`

const operations = (title: string, meaning: string, group: [string, Endpoint][]): string => `## ${title}

${meaning}.

${table(
  ["Request", "Operation", "Command", "Scope", "Purpose"],
  group.map(([name, { method, path, command, scope, summary, deprecated }]) => [
    `\`${method} ${path}\``,
    `\`${name}\``,
    `\`${command}\``,
    `\`${scope}\``,
    deprecated ? `${summary} (deprecated)` : summary,
  ]),
)}`

/** `docs/configuration.md`, from the table of settings. */
export const configurationPage = (settings: readonly Setting[]): string => `# Configuration

Every setting is an environment variable; an unknown \`PETSTORE_*\` variable is an error that names the nearest known one.
Generated from \`src/core/config/\`.

## The settings of most installations

${settingsTable(settings.filter(isCommon))}
## The other settings

${settingsTable(settings.filter((setting) => !isCommon(setting)))}`

const common = new Set<string>([
  "PETSTORE_PROFILE",
  "PETSTORE_HOST",
  "PETSTORE_PORT",
  "PETSTORE_PUBLIC_URL",
  "PETSTORE_DATA_DIR",
  "PETSTORE_DATABASE_URL",
  "PETSTORE_ANONYMOUS",
  "PETSTORE_LOG_LEVEL",
  "PETSTORE_URL",
  "PETSTORE_API_KEY",
] satisfies SettingName[])

const isCommon = ({ variable }: Setting): boolean => common.has(variable)

const settingsTable = (settings: readonly Setting[]): string =>
  table(
    ["Variable", "Meaning", "Value", "Default"],
    settings.map((setting) => [
      `\`${setting.variable}\``,
      setting.meaning,
      setting.kind.form,
      describeDefault(setting),
    ]),
  )

/** `cli.txt`, the help of every command. */
export const wholeHelp = (commands: readonly Command[], globalFlags: readonly Flag[]): string =>
  [
    `$ petstore --help\n\n${formatTopHelp(commands, globalFlags)}`,
    ...commands.map((command) => `$ petstore ${command.name} --help\n\n${formatCommandHelp(command, globalFlags)}`),
  ].join(`\n${"-".repeat(100)}\n`)

function table(head: string[], rows: string[][]): string {
  const row = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`
  return [head, head.map(() => "---"), ...rows].map(row).join("")
}

/** `src/client/routes.ts`, from the contract: the part a client needs, without schemas. */
export const clientRoutes = (
  api: Record<string, Endpoint>,
): string => `import type { ApiContract } from "../core/domain/api.ts"
import type { Client, Route } from "./client.ts"

/** Every operation except streams. Generated from the contracts without their schemas, which would make a client ten times as large. */
export const routes: Record<keyof Client<ApiContract>, Route> = {
${routeLines(api)}}
`

/** `src/parts/sandbox/client/sandbox-routes.ts`, from the contract of sandboxes. */
export const sandboxRoutes = (
  endpoints: Record<string, Endpoint>,
): string => `import type { Client, Route } from "../../../client/client.ts"
import type { sandbox } from "../contract.ts"

/** The operations that only sandboxes have. Generated from their contract without its schemas. */
export const sandboxRoutes: Record<keyof Client<typeof sandbox>, Route> = {
${routeLines(endpoints)}}
`

const routeLines = (endpoints: Record<string, Endpoint>): string =>
  Object.entries(endpoints)
    .filter(([, { streams }]) => !streams)
    .map(([name, endpoint]) => `  ${name}: { ${routeOf(endpoint)} },\n`)
    .join("")

function routeOf({ method, path, consumes, idempotent }: Endpoint): string {
  const type = consumes?.[0] === jsonType ? undefined : consumes?.[0]
  const members = {
    ...(method !== "GET" && { method }),
    path,
    ...(type && { consumes: [type] }),
    ...(idempotent && { idempotent }),
  }
  return Object.entries(members)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")
}
