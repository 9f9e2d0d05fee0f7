import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, normalize, relative } from "node:path"
import { describe, test } from "node:test"

const root = join(import.meta.dirname, "..")
const linesMax = 250
const sources = globSync("src/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"))

/** What a file imports: project files as paths from the root, packages and Node's modules as `npm:name`. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8")
  const specifiers = [...text.matchAll(/^(?:import|export|\}) (?:[^"\n]*from )?"([^"]+)"|\bimport\("([^"]+)"\)/gm)].map(
    ([, named, dynamic]) => named ?? (dynamic as string),
  )
  return specifiers.map((specifier) =>
    specifier.startsWith(".") ? relative(root, normalize(join(root, dirname(file), specifier))) : `npm:${specifier}`,
  )
}

const imports = new Map(sources.map((file) => [file, importsOf(file)] as const))

const under = (...paths: string[]) => new RegExp(`^src/(${paths.join("|")})`)
const core = (...paths: string[]) => under(`core/(${paths.join("|")})`)
const packages = (...names: string[]) => new RegExp(`^npm:(${names.join("|")})(/|$)`)

const kernel = core("kernel/")
const contract =
  /^src\/(core\/domain\/(([\w-]+\/)+contract|audit\/actions|endpoint|problems\/\w+|scopes|tags|api)|parts\/\w+\/([\w-]+\/)?contract)\.ts$/
/** The part of a noun that only the server knows, and its queries. */
const port =
  /^src\/(core\/domain\/(([\w-]+\/)+(store|model)|ports\/\w+|policy|context|join-transaction)|parts\/\w+\/model)\.ts$/
const rules = /^src\/(core\/domain|parts\/sandbox)\/([\w-]+\/)*rules\.ts$/
const operations = /^src\/core\/domain\/operations\.ts$/
const program = /^src\/program\.ts$/
const node = /^npm:node:/

type Rule = {
  name: string
  files: RegExp
  may: RegExp[]
  /** Imports that the rule must refuse, so that it does not admit everything. */
  mayNot: string[]
}

/**
 * The first rule whose `files` match applies; imports that it does not list are forbidden. It says which packages a folder may
 * load and which files of the domain it may change; in which direction imports run is in `floors.test.ts`.
 */
const table: Rule[] = [
  {
    name: "a part's declaration",
    files: /^src\/parts\/[\w-]+\/part\.ts$/,
    may: [
      kernel,
      contract,
      port,
      program,
      operations,
      core("assembly/", "server/", "api/", "disk/", "storage/"),
      under("parts/"),
    ],
    mayNot: ["src/core/domain/pets/create.ts", "src/petstore.ts", "npm:pino", "npm:node:fs"],
  },
  {
    name: "what a part has for the command line and for tests",
    files: under("parts/(\\w+/commands/|mcp/(command|serve-stdio)|sandbox/(client|exam|defects/scoring)/)"),
    may: [
      ...[kernel, contract, program, node, under("client/", "cli/", "examiner/", "parts/")],
      packages("@modelcontextprotocol/server", "saxes"),
    ],
    mayNot: ["src/petstore.ts", "src/core/server/server.ts", "src/core/sqlite/open.ts", "npm:undici"],
  },
  {
    name: "the list of commands",
    files: under("commands\\.ts"),
    may: [kernel, contract, under("cli/", "parts/\\w+/command")],
    mayNot: ["src/petstore.ts", "src/parts/operator/administration.ts", "npm:node:fs"],
  },
  {
    name: "the assembly of the core",
    files: core("assembly/"),
    may: [core(""), program, packages("node:crypto", "node:timers/promises")],
    mayNot: ["src/parts/mcp/part.ts", "src/petstore.ts", "npm:pino"],
  },
  {
    name: "the kernel",
    files: kernel,
    may: [kernel, packages("typebox", "ajv", "ajv-formats", "ipaddr\\.js", "fastest-levenshtein", "node:stream")],
    mayNot: ["src/core/domain/ports/store.ts", "npm:node:fs", "npm:pino"],
  },
  {
    name: "a contract",
    files: contract,
    may: [kernel, contract, packages("typebox")],
    mayNot: ["src/core/domain/keys/model.ts", "src/core/domain/pets/store.ts", "npm:node:crypto"],
  },
  {
    name: "rules",
    files: rules,
    may: [kernel, contract, rules, port],
    mayNot: ["src/core/domain/pets/create.ts", "src/core/sql/pets/pets.ts", "npm:node:crypto"],
  },
  {
    name: "a port",
    files: port,
    may: [kernel, contract, port, packages("typebox")],
    mayNot: ["src/core/domain/pets/rules.ts", "src/core/sqlite/open.ts", "npm:node:sqlite"],
  },
  {
    name: "operations",
    files: operations,
    may: [core("domain/")],
    mayNot: ["src/core/server/server.ts", "npm:pino"],
  },
  {
    name: "a verb",
    files: core("domain/"),
    may: [kernel, core("domain/")],
    mayNot: ["src/core/sql/pets/pets.ts", "src/core/server/exchange/exchange.ts", "npm:node:crypto", "npm:typebox"],
  },
  {
    name: "storage",
    files: core("sql/", "sqlite/", "memory/", "disk/", "storage/"),
    may: [
      ...[kernel, contract, port, core("domain/(audit|limits|events)/rules\\.ts")],
      ...[core("sql/", "sqlite/", "memory/", "disk/", "storage/"), node],
    ],
    mayNot: [
      ...["src/core/domain/pets/create.ts", "src/core/domain/orders/rules.ts", "src/core/server/exchange/exchange.ts"],
      ...["npm:undici", "npm:@aws-sdk/client-s3", "npm:ioredis", "npm:pg"],
    ],
  },
  {
    name: "crypto",
    files: core("crypto/"),
    may: [kernel, port, core("crypto/", "disk/"), packages("@node-rs/argon2", "node:crypto", "node:path")],
    mayNot: ["src/core/sql/nouns/keys.ts", "src/core/domain/pets/contract.ts", "npm:node:fs"],
  },
  {
    name: "imaging",
    files: core("imaging/"),
    may: [kernel, contract, port, program, core("imaging/"), node, packages("sharp")],
    mayNot: ["src/core/disk/blobs.ts", "npm:undici"],
  },
  {
    name: "the greeting and the signals of main",
    files: core("(server/graceful-shutdown|observability/greeting)\\.ts"),
    may: [packages("pino")],
    mayNot: ["src/petstore.ts", "npm:node:fs"],
  },
  {
    name: "the server",
    files: core("server/"),
    may: [kernel, core("server/"), node, packages("typebox", "pino", "find-my-way", "@fastify/busboy", "saxes")],
    mayNot: [
      ...[
        "src/core/domain/accounts/model.ts",
        "src/core/domain/problems/problems.ts",
        "src/core/domain/ports/store.ts",
      ],
      ...["src/core/api/operations/invoke.ts", "src/parts/site/serving/forms.ts", "npm:undici", "npm:jose"],
    ],
  },
  {
    name: "what runs the contract",
    files: core("api/"),
    may: [
      ...[
        kernel,
        contract,
        port,
        rules,
        core("server/", "api/", "domain/(keys/(secret|store-uses)|events/publish)\\.ts"),
      ],
      ...[node, packages("typebox", "pino", "jose")],
    ],
    mayNot: [
      ...["src/core/sql/pets/pets.ts", "src/core/domain/pets/create.ts", "src/core/workers/maintenance.ts"],
      ...["npm:undici", "npm:oidc-provider"],
    ],
  },
  {
    name: "workers",
    files: core("workers/"),
    may: [
      ...[kernel, contract, port, rules, core("workers/"), node, packages("ipaddr\\.js", "pino", "undici")],
      core("domain/(audit/prune|events/publish|orders/expire|webhooks/deliveries/settle)\\.ts"),
    ],
    mayNot: ["src/core/sql/nouns/due.ts", "src/core/domain/orders/place.ts", "npm:sharp"],
  },
  {
    name: "observability",
    files: core("observability/"),
    may: [
      ...[kernel, port, core("observability/")],
      packages("pino", "prom-client", "@opentelemetry", "node:async_hooks", "node:os"),
    ],
    mayNot: ["src/core/server/exchange/exchange.ts", "src/core/sqlite/open.ts"],
  },
  {
    name: "configuration",
    files: core("config/"),
    may: [kernel, core("config/", "storage/"), packages("node:path")],
    mayNot: ["src/core/domain/pets/contract.ts", "src/core/sqlite/open.ts", "npm:node:fs"],
  },
  {
    name: "PostgreSQL, Redis and S3",
    files: under("parts/replicas/"),
    may: [
      ...[
        kernel,
        port,
        node,
        contract,
        core("domain/limits/rules\\.ts", "sql/", "disk/", "memory/", "storage/", "sqlite/open\\.ts"),
      ],
      ...[under("parts/replicas/"), packages("pg", "ioredis", "@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner")],
    ],
    mayNot: ["src/core/sqlite/reader.ts", "src/core/server/exchange/exchange.ts", "npm:undici"],
  },
  {
    name: "the authorization server",
    files: under("parts/oauth/"),
    may: [
      ...[kernel, contract, port, rules, program, core("server/", "api/"), under("parts/")],
      core("domain/(oauth/(remember-document|signing-keys)|users/sessions/sign-in)\\.ts"),
      ...[node, packages("oidc-provider", "jose", "pino")],
    ],
    mayNot: ["src/core/sql/nouns/oauth-records.ts", "src/core/domain/pets/create.ts", "npm:undici"],
  },
  {
    name: "pages",
    files: under("parts/(site|console|store)/"),
    may: [
      ...[kernel, contract, port, rules, program, node, core("server/", "api/", "domain/users/confirmation\\.ts")],
      ...[under("parts/", "pet-files/"), packages("typebox")],
    ],
    mayNot: ["src/core/domain/pets/read.ts", "src/core/sqlite/open.ts", "npm:pino", "npm:undici"],
  },
  {
    name: "tools for language models, v2 and descriptions",
    files: under("parts/(mcp|v2|descriptions)/"),
    may: [
      ...[kernel, contract, port, rules, program, node, core("server/", "api/"), under("parts/", "client/")],
      ...[core("assembly/description\\.ts"), packages("@modelcontextprotocol/server", "typebox", "pino")],
    ],
    mayNot: ["src/core/domain/pets/create.ts", "src/cli/main.ts", "npm:zod", "npm:undici"],
  },
  {
    name: "the sandbox",
    files: under("parts/sandbox/"),
    may: [
      kernel,
      program,
      core(""),
      under("parts/", "pet-files/", "examiner/[\\w-]+\\.ts", "(petstore|store|shared|service)\\.ts"),
      node,
      packages("pino", "typebox"),
    ],
    mayNot: ["src/examiner/conform/check.ts", "src/cli/command/command.ts", "src/main.ts", "npm:undici"],
  },
  {
    name: "the socket for commands of this machine",
    files: under("parts/operator/socket\\.ts"),
    may: [contract, core("disk/"), node, packages("pino")],
    mayNot: ["src/parts/operator/administration.ts", "src/core/sqlite/open.ts", "src/cli/main.ts"],
  },
  {
    name: "an operator at the machine",
    files: under("parts/operator/"),
    may: [
      ...[
        kernel,
        contract,
        port,
        node,
        under("parts/"),
        core("sql/", "sqlite/", "disk/", "memory/", "storage/", "crypto/"),
      ],
      core("config/config\\.ts", "observability/log\\.ts", "domain/(admin/create-key|clock/confirm)\\.ts"),
      core("workers/(check-hashes|sweep-images)\\.ts"),
    ],
    mayNot: [
      ...["src/core/server/server.ts", "src/cli/command/command.ts", "src/client/client.ts", "src/petstore.ts"],
      ...["src/core/domain/pets/create.ts", "npm:undici", "npm:pino"],
    ],
  },
  {
    name: "files of pets",
    files: under("pet-files/"),
    may: [kernel, contract, under("pet-files/"), packages("node:crypto")],
    mayNot: [
      "src/cli/command/command.ts",
      "src/core/domain/pets/create.ts",
      "src/parts/site/pages/html.ts",
      "npm:node:fs",
    ],
  },
  {
    name: "the client",
    files: under("client/"),
    may: [kernel, contract, under("client/")],
    mayNot: ["src/core/domain/keys/model.ts", "npm:node:http", "npm:undici"],
  },
  {
    name: "what examines clients and tools",
    files: under("examiner/"),
    may: [kernel, contract, under("client/", "examiner/"), node, packages("saxes")],
    mayNot: ["src/cli/command/command.ts", "src/core/server/server.ts", "src/core/domain/pets/rules.ts", "npm:undici"],
  },
  {
    name: "the command line",
    files: under("cli/"),
    may: [
      ...[kernel, contract, program, node, under("client/", "cli/", "examiner/", "pet-files/", "co(nfig|mmands)\\.ts")],
      ...[core("config/(setting|config)\\.ts", "storage/locations\\.ts"), packages("fast-string-width")],
    ],
    mayNot: ["src/petstore.ts", "src/parts/mcp/server.ts", "src/core/sqlite/open.ts", "src/core/domain/pets/rules.ts"],
  },
  {
    name: "the program's version and files",
    files: program,
    may: [packages("node:fs", "node:path")],
    mayNot: ["src/core/config/config.ts", "npm:node:http"],
  },
  {
    name: "the public entry of the service",
    files: under("public/(open-petstore|petstore|require-runtime)\\.ts"),
    may: [
      ...[
        core("observability/log\\.ts"),
        under("(petstore|parts|config|client/operations/pet|parts/sandbox/client/sandbox-client)\\.ts"),
      ],
      ...[under("public/(open-petstore|petstore|require-runtime)\\.ts"), packages("node:fs", "node:os", "node:path")],
    ],
    mayNot: ["src/core/server/server.ts", "src/core/sqlite/open.ts", "src/client/client.ts", "npm:pino"],
  },
  {
    name: "the public entries for clients, which have to run where there is no Node",
    files: under("public/"),
    may: [under("client/", "parts/sandbox/client/")],
    mayNot: ["src/petstore.ts", "src/core/domain/api.ts", "npm:typebox", "npm:node:crypto"],
  },
  {
    name: "main",
    files: under("main\\.ts"),
    may: [
      ...[
        kernel,
        port,
        under("(petstore|config)\\.ts"),
        core("(server/graceful-shutdown|observability/(greeting|log))\\.ts"),
      ],
      packages("node:module"),
    ],
    mayNot: ["src/core/server/server.ts", "src/core/sqlite/open.ts", "npm:node:http"],
  },
  {
    name: "the assembly",
    files: under("\\w+\\.ts"),
    may: [/^src\/(?!cli\/|client\/|main\.ts)/, packages("node:crypto", "node:path")],
    mayNot: ["src/cli/command/command.ts", "src/client/client.ts", "src/main.ts", "npm:pino", "npm:node:http"],
  },
]

const mayImport = (rule: Rule, target: string) => rule.may.some((allowed) => allowed.test(target))

test("every file imports only what its folder may import", () => {
  const broken: string[] = []
  for (const [file, targets] of imports) {
    const rule = table.find(({ files }) => files.test(file))
    if (!rule) broken.push(`${file} has no rule`)
    for (const target of targets) if (rule && !mayImport(rule, target)) broken.push(`${rule.name}: ${file} → ${target}`)
  }
  assert.deepEqual(broken, [])
})

const loadsTypebox = (text: string) => /^import (?!type )[^"]*"typebox"/m.test(text)

test("typebox is imported only for its types, because loading it takes a fifth of a start", () => {
  assert.ok(loadsTypebox('import { type Static, Type } from "typebox"') && loadsTypebox('import "typebox"'))
  const loading = sources.filter((file) => loadsTypebox(readFileSync(join(root, file), "utf8")))
  assert.deepEqual(loading, [])
})

describe("a rule refuses the imports it must refuse", () => {
  for (const rule of table)
    test(rule.name, () => {
      assert.ok(
        sources.some((file) => table.find(({ files }) => files.test(file)) === rule),
        "no file matches this rule",
      )
      assert.ok(rule.mayNot.length > 0)
      assert.deepEqual(
        rule.mayNot.filter((target) => mayImport(rule, target)),
        [],
      )
    })
})

/** Files that `operations.ts` binds to endpoints. */
const verbs = new Set(
  [...imports].flatMap(([file, targets]) =>
    operations.test(file) ? targets.filter((target) => !contract.test(target) && !port.test(target)) : [],
  ),
)

test("a verb is imported only by the table of operations, never by another verb", () => {
  assert.ok(verbs.size > 40)
  const broken = [...imports].flatMap(([file, targets]) =>
    operations.test(file) ? [] : targets.filter((target) => verbs.has(target)).map((target) => `${file} → ${target}`),
  )
  assert.deepEqual(broken, [])
})

/** The files that run operations, and the storage adapter that oidc-provider requires. */
const changing = under(
  "(core/api/operations/(audited-store|noting-store|invoke|idempotency)|parts/oauth/server/records)\\.ts",
)
const changes = (text: string) => /\btransaction\(|\.transaction\b|\baudit\.append\b|\bannounce\(/.test(text)

test("http changes nothing itself: it opens no transaction, writes no audit entry and announces no signal", () => {
  for (const text of [
    "await store.transaction((tx) => tx.consents.end(id, userId))",
    "const { transaction } = store; await transaction(end)",
    "await tx.audit.append([entry], clock.now())",
    'await signals.announce({ kind: "credentials-changed", accountId })',
  ])
    assert.ok(changes(text), text)
  const http = sources.filter((file) => /^src\/(core\/(server|api)|parts\/(?!replicas|operator|sandbox))/.test(file))
  const found = http.filter((file) => changes(readFileSync(join(root, file), "utf8")))
  assert.deepEqual(
    found.filter((file) => !changing.test(file)),
    [],
  )
  assert.equal(found.length, 5, "an exception is obsolete")
})

test("imports form no cycle, including those of types", () => assertAcyclic(imports))

test("a cycle is detected", () => {
  assert.throws(() => assertAcyclic(new Map(Object.entries({ a: ["b"], b: ["c"], c: ["a"] }))), /cycle: a → b → c → a/)
})

function assertAcyclic(graph: ReadonlyMap<string, Iterable<string>>): void {
  const done = new Set<string>()
  const visit = (node: string, path: string[]): void => {
    assert.ok(!path.includes(node), `cycle: ${[...path.slice(path.indexOf(node)), node].join(" → ")}`)
    if (done.has(node)) return
    for (const target of graph.get(node) ?? []) visit(target, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
}

/** What starts a service, a command line or a browser, in this process or another. */
const starters = ["src/petstore.ts", "test/harness/spawn.ts", "test/harness/command-line.ts", "test/harness/browser.ts"]

/** Whether a file imports what starts a service, itself or through others. */
function startsService(file: string, seen = new Set<string>()): boolean {
  if (starters.includes(file)) return true
  if (!file.endsWith(".ts") || seen.has(file)) return false
  seen.add(file)
  return importsOf(file).some((target) => startsService(target, seen))
}

test("a test beside the code is named after the file beside it and starts no service; those that do are in test", () => {
  for (const file of ["use", "petstore", "cluster", "oauth", "backups"])
    assert.ok(startsService(`test/harness/${file}.ts`), file)
  assert.ok(startsService("test/cases.test.ts") && startsService("test/cli/cli.test.ts"))
  for (const file of ["clock", "directory", "receiver"]) assert.ok(!startsService(`test/harness/${file}.ts`), file)
  const beside = globSync("src/**/*.test.ts", { cwd: root })
  assert.ok(beside.length > 50)
  assert.deepEqual(
    beside.filter((file) => !sources.includes(file.replace(".test.ts", ".ts")) || startsService(file)),
    [],
  )
})

test(`no source file is longer than ${linesMax} lines`, () => {
  const tooLong = sources.filter(
    (file) => readFileSync(join(root, file), "utf8").trimEnd().split("\n").length > linesMax,
  )
  assert.deepEqual(tooLong, [])
})

/** Types that are taken from what a function happens to return or accept. What runs has a type of its own, with documented members. */
const borrowedIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:ReturnType|Parameters)<\s*typeof (?:import\("\.[^"]+"\)\.)?(\w+)>/g)].map(
    ([, name]) => name as string,
  )

test("no type is borrowed from a function of the service", () => {
  const found = sources.flatMap((file) =>
    borrowedIn(readFileSync(join(root, file), "utf8")).map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(found, [])
  assert.deepEqual(borrowedIn("type A = Awaited<ReturnType<typeof openStore>>\nlet b: Parameters<typeof open>[0]"), [
    "openStore",
    "open",
  ])
  assert.deepEqual(borrowedIn('function f(...args: Parameters<typeof import("./g.ts").g>) {}'), ["g"])
  assert.deepEqual(borrowedIn("let c: ReturnType<typeof ipaddr.process>, d: ReturnType<Handle>"), [])
})

/** Spread literals, whose only use is to put several names on a line. One property has one line. */
const foldedIn = (text: string): string[] =>
  [...text.matchAll(/\.\.\.(?:\{[^{}]*\}|\[[^[\]]*\])(?=\s*[,)}\]])/g)].map(([found]) => found)

test("a list of dependencies is the last resort", () => {
  const lists = sources.flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/^(?:export )?type (\w+(?:Deps|Parts))\b/gm)].map(
      ([, name]) => name,
    ),
  )
  // It may only get shorter: where the program has a name for a thing, functions take the thing.
  assert.deepEqual(lists.sort(), [
    "AccessParts",
    "ChoreDeps",
    "DeliveryDeps",
    "DeliveryWorkerDeps",
    "HttpContextParts",
    "InvokeParts",
    "LimitsParts",
    "PipelineParts",
    "SandboxParts",
    "StoreApiParts",
  ])
})

test("no literal is folded into another one", () => {
  const found = sources.flatMap((file) =>
    foldedIn(readFileSync(join(root, file), "utf8")).map((literal) => `${file}: ${literal}`),
  )
  assert.deepEqual(found, [])
  assert.deepEqual(foldedIn("({ ...{ a, b }, c })\n[...[1, 2], 3]"), ["...{ a, b }", "...[1, 2]"])
  assert.deepEqual(foldedIn("({ ...(a && { b }), ...c })\n[...[1].map(f), ...(a ? [b] : [])]"), [])
})

/** Types of what must be closed: they have `close`, or are disposable. */
const closableIn = (text: string): string[] =>
  [...text.matchAll(/^(?:export )?type (\w+)(?:<[^=\n]*>)? =([^\n]*\n(?:(?:[ }][^\n]*)?\n)*)/gm)]
    .filter(([, , body = ""]) => /\b(?:Async)?Disposable\b|^\s+close\(/m.test(body))
    .map(([, name]) => name as string)

/** Functions that return one of these types, by name. */
const makersIn = (text: string, types: ReadonlySet<string>): string[] =>
  [...text.matchAll(/\bexport (?:async )?function (\w+)\((?:[^()]|\([^()]*\))*\): (?:Promise<)?(\w+)>? \{/g)]
    .filter(([, , type = ""]) => types.has(type))
    .map(([, name]) => name as string)

/** Functions that return something closable and open nothing. */
const openNothing: Readonly<Record<string, string>> = {
  createPetstore: "the name that the package has made public",
  visitOf: "the files that a page receives are closed by their own disposal",
}

test("what must be closed is opened by a function named open", () => {
  const texts = sources.map((file) => readFileSync(join(root, file), "utf8"))
  const closable = new Set(texts.flatMap(closableIn))
  assert.ok(closable.size > 15)
  const makers = texts.flatMap((text) => makersIn(text, closable))
  assert.ok(makers.length > 15)
  const others = makers.filter((name) => !name.startsWith("open"))
  assert.deepEqual([...new Set(others)].toSorted(), Object.keys(openNothing).toSorted())
  const text =
    "type Disk = {\n  read(): void\n  close(): void\n}\nexport async function watchDisk(a: {}): Promise<Disk> {\n"
  assert.deepEqual([closableIn(text), makersIn(text, new Set(closableIn(text)))], [["Disk"], ["watchDisk"]])
})

/** A function with this number of lines and parameters. */
function functionOf({ lines = 1, parameters = 0 }): string {
  const names = Array.from({ length: parameters }, (_, n) => `_parameter${n}: string`)
  const body = Array.from({ length: lines }, (_, n) => `  log("${n}")\n`)
  return `export function example(${names.join(", ")}): void {\n${body.join("")}}\n`
}

test("the lint refuses functions of more than 60 lines or 5 parameters in src, but not in tests", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "petstore-lint-"))
  t.after(() => rmSync(directory, { recursive: true }))
  const { vcs, $schema, ...rules } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"))
  const files = {
    "fitting.ts": functionOf({ lines: 58, parameters: 5 }),
    "long.ts": functionOf({ lines: 61 }),
    "wide.ts": functionOf({ parameters: 6 }),
    "long.test.ts": functionOf({ lines: 61 }),
  }
  mkdirSync(join(directory, "src"))
  writeFileSync(join(directory, "biome.json"), JSON.stringify(rules))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, "src", name), text)
  const biome = join(root, "node_modules", ".bin", "biome")
  const { stdout, stderr } = spawnSync(biome, ["lint", "--colors=off"], { cwd: directory, encoding: "utf8" })
  const refused = [...`${stdout}${stderr}`.matchAll(/^src\/(\S+?):\d+:\d+ lint\/(\S+)/gm)].map(([, file, rule]) => [
    file,
    rule,
  ])
  assert.deepEqual(refused.sort(), [
    ["long.ts", "complexity/noExcessiveLinesPerFunction"],
    ["wide.ts", "complexity/useMaxParams"],
  ])
})

/** Folders of one kind of file, whose names distinguish them, may hold any number of files; tests do not count. */
const registries = /^src\/core\/(domain\/[\w/-]+|sql\/(nouns|migrations))$/
const crowded = (files: readonly string[]) =>
  [...Map.groupBy(files, (file) => dirname(file))]
    .filter(([folder]) => !registries.test(folder))
    .filter(([folder, flat]) => flat.length > (files.some((file) => dirname(dirname(file)) === folder) ? 12 : 25))
    .map(([folder, flat]) => `${folder}: ${flat.length}`)

test("a folder has at most 25 files, and 12 beside subfolders", () => {
  const some = (folder: string, count: number) => Array.from({ length: count }, (_, n) => `${folder}/${n}.ts`)
  assert.deepEqual(crowded(some("src/parts/oauth/server", 26)), ["src/parts/oauth/server: 26"])
  assert.deepEqual(crowded([...some("src/parts/site", 13), ...some("src/parts/site/serving", 25)]), [
    "src/parts/site: 13",
  ])
  assert.deepEqual(crowded([...some("src/parts/site", 12), ...some("src/core/domain/pets", 40)]), [])
  assert.deepEqual(crowded(sources), [])
})

test("the composition roots fit on a screen, and src contains no other files", () => {
  const linesOf = (file: string) => readFileSync(join(root, file), "utf8").trimEnd().split("\n").length
  assert.deepEqual(sources.filter((file) => dirname(file) === "src").sort(), [
    "src/commands.ts",
    "src/config.ts",
    "src/main.ts",
    "src/parts.ts",
    "src/petstore.ts",
    "src/program.ts",
  ])
  assert.ok(linesOf("src/main.ts") <= 40)
  assert.ok(linesOf("src/petstore.ts") <= 120)
})

test("only entry points import the composition root", () => {
  const importers = [...imports].flatMap(([file, targets]) => (targets.includes("src/petstore.ts") ? [file] : []))
  assert.deepEqual(importers.sort(), ["src/main.ts", "src/public/open-petstore.ts"])
})

test("only the entry points read the environment", () => {
  const readers = sources.filter((file) => readFileSync(join(root, file), "utf8").includes("process.env"))
  assert.deepEqual(readers.sort(), ["src/cli/main.ts", "src/main.ts"])
})

test("a verb raises problems only through its context, where the compiler checks them", () => {
  const throwing = sources.filter(
    (file) =>
      file.startsWith("src/core/domain/") &&
      !rules.test(file) &&
      !port.test(file) &&
      /\bthrow\b/.test(readFileSync(join(root, file), "utf8")),
  )
  assert.deepEqual(throwing, [])
})
