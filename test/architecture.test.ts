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
const packages = (...names: string[]) => new RegExp(`^npm:(${names.join("|")})(/|$)`)

const kernel = under("kernel/")
const contract = /^src\/domain\/(([\w-]+\/)+contract|audit\/actions|endpoint|problems\/\w+|scopes|tags|api)\.ts$/
/** The part of a noun that only the server knows, and its queries. */
const port = /^src\/domain\/(([\w-]+\/)+(store|model)|ports\/\w+|policy|context|join-transaction)\.ts$/
const rules = /^src\/domain\/([\w-]+\/)+rules\.ts$/
const operations = /^src\/domain\/operations\.ts$/
const program = /^src\/program\.ts$/
const node = /^npm:node:/

type Rule = {
  name: string
  files: RegExp
  may: RegExp[]
  /** Imports that the rule must refuse, so that it does not admit everything. */
  mayNot: string[]
}

/** The first rule whose `files` match applies; imports that it does not list are forbidden. */
const table: Rule[] = [
  {
    name: "the kernel",
    files: kernel,
    may: [kernel, packages("typebox", "ajv", "ajv-formats", "ipaddr\\.js", "fastest-levenshtein", "node:stream")],
    mayNot: ["src/domain/ports/store.ts", "npm:node:fs", "npm:pino"],
  },
  {
    name: "a contract",
    files: contract,
    may: [kernel, contract, packages("typebox")],
    mayNot: ["src/domain/keys/model.ts", "src/domain/pets/store.ts", "npm:node:crypto"],
  },
  {
    name: "rules",
    files: rules,
    may: [kernel, contract, rules, port],
    mayNot: ["src/domain/pets/create.ts", "src/storage/sql/pets/pets.ts", "npm:node:crypto"],
  },
  {
    name: "a port",
    files: port,
    may: [kernel, contract, port, packages("typebox")],
    mayNot: ["src/domain/pets/rules.ts", "src/storage/sqlite/open.ts", "npm:node:sqlite"],
  },
  {
    name: "operations",
    files: operations,
    may: [under("domain/")],
    mayNot: ["src/server/server.ts", "npm:pino"],
  },
  {
    name: "a verb",
    files: under("domain/"),
    may: [kernel, under("domain/")],
    mayNot: ["src/storage/sql/pets/pets.ts", "src/server/exchange/exchange.ts", "npm:node:crypto", "npm:typebox"],
  },
  {
    name: "S3",
    files: under("storage/s3/"),
    may: [
      ...[kernel, contract, port, node, under("storage/(s3|disk|blobs)/")],
      packages("@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner"),
    ],
    mayNot: ["src/storage/sql/nouns/images.ts", "src/server/exchange/exchange.ts", "npm:undici"],
  },
  {
    name: "PostgreSQL",
    files: under("storage/postgres/"),
    may: [kernel, port, node, contract, under("storage/(postgres|sql)/"), packages("pg")],
    mayNot: ["src/storage/sqlite/open.ts", "src/server/exchange/exchange.ts", "npm:ioredis"],
  },
  {
    name: "Redis",
    files: under("storage/redis/"),
    may: [
      kernel,
      port,
      node,
      contract,
      under("domain/limits/rules\\.ts", "storage/(redis|memory)/"),
      packages("ioredis"),
    ],
    mayNot: ["src/storage/sql/nouns/limits.ts", "src/server/exchange/exchange.ts", "npm:pg"],
  },
  {
    name: "storage",
    files: under("storage/"),
    may: [kernel, contract, port, under("domain/(audit|limits|events)/rules\\.ts", "storage/"), node],
    mayNot: [
      ...["src/domain/pets/create.ts", "src/domain/orders/rules.ts", "src/server/exchange/exchange.ts", "npm:undici"],
      ...["npm:@aws-sdk/client-s3", "npm:ioredis", "npm:pg"],
    ],
  },
  {
    name: "crypto",
    files: under("crypto/"),
    may: [
      kernel,
      port,
      under("crypto/", "storage/disk/key-file\\.ts"),
      packages("@node-rs/argon2", "node:crypto", "node:path"),
    ],
    mayNot: ["src/storage/sql/nouns/keys.ts", "src/domain/pets/contract.ts", "npm:node:fs"],
  },
  {
    name: "imaging",
    files: under("imaging/"),
    may: [kernel, contract, port, program, under("imaging/"), node, packages("sharp")],
    mayNot: ["src/storage/disk/blobs.ts", "npm:undici"],
  },
  {
    name: "the authorization server",
    files: under("site/oauth-server/"),
    may: [
      ...[kernel, contract, port, rules, under("server/", "api/", "site/(oauth-server|serving|pages/oauth)/")],
      under("domain/(oauth/(remember-document|signing-keys)|users/sessions/sign-in)\\.ts"),
      ...[node, packages("oidc-provider", "jose", "pino")],
    ],
    mayNot: [
      "src/storage/sql/nouns/oauth-records.ts",
      "src/site/pages/store/store-page.ts",
      "src/domain/pets/create.ts",
    ],
  },
  {
    name: "the site's server",
    files: under("site/(serving/|(sandbox-site|mounts)\\.ts)"),
    may: [
      ...[kernel, contract, port, rules, node, under("server/", "api/", "domain/users/confirmation\\.ts")],
      under("site/(serving|oauth-server|pages/(oauth|console|store))/"),
      under(
        "program\\.ts",
        "site/mounts\\.ts",
        "site/pages/(discovery|header|pages|redirect|site|reference/description|parts/question-main)\\.ts",
      ),
    ],
    mayNot: [
      ...["src/storage/sql/pets/pets.ts", "src/domain/pets/create.ts", "src/domain/users/sessions/log-in.ts"],
      ...["src/site/pages/reference/reference.ts", "src/petstore.ts", "npm:undici"],
    ],
  },
  {
    name: "the greeting and the signals of main",
    files: under("(server/graceful-shutdown|observability/greeting)\\.ts"),
    may: [packages("pino")],
    mayNot: ["src/petstore.ts", "npm:node:fs"],
  },
  {
    name: "the server",
    files: under("server/"),
    may: [kernel, under("server/"), node, packages("typebox", "pino", "find-my-way", "@fastify/busboy", "saxes")],
    mayNot: [
      ...["src/domain/accounts/model.ts", "src/domain/problems/problems.ts", "src/domain/ports/store.ts"],
      ...["src/api/operations/invoke.ts", "src/site/serving/forms.ts", "src/site/pages/layout.ts"],
      ...["src/cli/output/table.ts", "src/storage/sql/pets/pets.ts", "src/domain/pets/create.ts"],
      ...["src/workers/maintenance.ts", "npm:undici", "npm:jose"],
    ],
  },
  {
    name: "the tools for language models over HTTP",
    files: under("api/mcp/"),
    may: [
      kernel,
      contract,
      port,
      under("server/", "api/", "mcp/", "client/"),
      packages("@modelcontextprotocol/server", "node:stream", "pino"),
    ],
    mayNot: ["src/domain/pets/create.ts", "src/cli/mcp/serve.ts", "npm:node:http"],
  },
  {
    name: "what runs the contract",
    files: under("api/"),
    may: [
      ...[
        kernel,
        contract,
        port,
        rules,
        under("server/", "api/", "domain/(journeys|keys/(secret|store-uses)|events/publish)\\.ts"),
      ],
      ...[node, packages("typebox", "pino", "jose")],
    ],
    mayNot: [
      ...["src/site/oauth-server/mount.ts", "src/site/serving/forms.ts", "src/site/pages/layout.ts"],
      ...["src/storage/sql/pets/pets.ts", "src/domain/pets/create.ts", "src/workers/maintenance.ts"],
      ...["npm:undici", "npm:oidc-provider"],
    ],
  },
  {
    name: "files of pets",
    files: under("pet-files/"),
    may: [kernel, contract, under("pet-files/"), packages("node:crypto")],
    mayNot: ["src/cli/command/command.ts", "src/domain/pets/create.ts", "src/site/pages/html.ts", "npm:node:fs"],
  },
  {
    name: "the pages",
    files: under("site/pages/"),
    may: [
      ...[kernel, contract, port, program, node, packages("typebox")],
      under("site/pages/", "pet-files/", "api/descriptions/descriptions\\.ts"),
    ],
    mayNot: [
      "src/server/exchange/exchange.ts",
      "src/domain/pets/read.ts",
      "src/storage/sqlite/open.ts",
      "npm:pino",
      "src/site/serving/caller.ts",
    ],
  },
  {
    name: "workers",
    files: under("workers/"),
    may: [
      ...[kernel, contract, port, rules, under("workers/"), node, packages("ipaddr\\.js", "pino", "undici")],
      under("domain/(audit/prune|events/publish|orders/expire|webhooks/deliveries/settle)\\.ts"),
    ],
    mayNot: [
      "src/site/oauth-server/signing-keys.ts",
      "src/storage/sql/nouns/due.ts",
      "src/domain/orders/place.ts",
      "npm:sharp",
    ],
  },
  {
    name: "observability",
    files: under("observability/"),
    may: [
      kernel,
      port,
      packages("pino", "prom-client", "@opentelemetry", "node:async_hooks", "node:os"),
      under("observability/"),
    ],
    mayNot: ["src/server/exchange/exchange.ts", "src/storage/sqlite/open.ts"],
  },
  {
    name: "the client",
    files: under("client/"),
    may: [kernel, contract, under("client/")],
    mayNot: ["src/domain/keys/model.ts", "npm:node:http", "npm:undici"],
  },
  {
    name: "the command line's entry",
    files: under("cli/main\\.ts"),
    may: [
      ...[
        kernel,
        contract,
        under("client/", "cli/", "(config/config|operator/(socket|administration|maintenance)|program)\\.ts"),
      ],
      node,
    ],
    mayNot: ["src/petstore.ts", "src/storage/sqlite/open.ts", "src/operator/backup/restore.ts"],
  },
  {
    name: "the socket for commands of this machine",
    files: under("operator/socket\\.ts"),
    may: [contract, under("storage/disk/(data-directory|private)\\.ts"), node, packages("pino")],
    mayNot: ["src/operator/administration.ts", "src/storage/sqlite/open.ts", "src/cli/main.ts"],
  },
  {
    name: "the administration that an operator runs through the service",
    files: under("operator/(administration|inspection)\\.ts"),
    may: [
      ...[
        kernel,
        contract,
        port,
        under("operator/", "storage/", "crypto/", "config/config\\.ts", "observability/log\\.ts"),
      ],
      under(
        "domain/(admin/create-key|clock/confirm)\\.ts",
        "site/oauth-server/signing-keys\\.ts",
        "workers/check-hashes\\.ts",
        "workers/sweep-images\\.ts",
      ),
      packages("node:crypto", "node:fs", "node:os"),
    ],
    mayNot: ["npm:pino", "npm:node:http", "src/server/server.ts", "src/petstore.ts", "src/domain/pets/create.ts"],
  },
  {
    name: "an operator at the machine",
    files: under("operator/"),
    may: [kernel, contract, port, under("operator/", "storage/", "crypto/"), node],
    mayNot: [
      ...[
        "src/server/server.ts",
        "src/cli/command/command.ts",
        "src/client/client.ts",
        "src/petstore.ts",
        "src/config/config.ts",
      ],
      ...["src/domain/pets/create.ts", "src/workers/sweep-images.ts", "npm:undici"],
    ],
  },
  {
    name: "the operations as tools for a language model",
    files: under("mcp/"),
    may: [kernel, contract, under("client/", "mcp/", "domain/journeys\\.ts"), packages("@modelcontextprotocol/server")],
    mayNot: ["src/config/config.ts", "src/domain/pets/rules.ts", "npm:node:http", "npm:zod"],
  },
  {
    name: "what examines clients and tools",
    files: under("examiner/"),
    may: [kernel, contract, under("client/", "examiner/"), node, packages("saxes")],
    mayNot: ["src/cli/command/command.ts", "src/server/server.ts", "src/domain/pets/rules.ts", "npm:undici"],
  },
  {
    name: "the tools on standard input and output",
    files: under("cli/mcp/"),
    may: [kernel, contract, under("client/", "cli/", "mcp/"), packages("@modelcontextprotocol/server")],
    mayNot: ["src/config/config.ts", "src/domain/pets/rules.ts", "npm:node:http", "npm:zod"],
  },
  {
    name: "the command line",
    files: under("cli/"),
    may: [
      kernel,
      contract,
      under("client/", "cli/", "examiner/", "mcp/", "pet-files/", "config/settings?\\.ts", "program\\.ts"),
      // It filters a stream as the service does a list.
      under("domain/sandbox/requests/rules\\.ts"),
      node,
      packages("fast-string-width"),
    ],
    mayNot: ["src/config/config.ts", "src/domain/pets/rules.ts", "src/server/exchange/exchange.ts"],
  },
  {
    name: "configuration",
    files: under("config/"),
    may: [
      kernel,
      under("config/", "storage/blobs/locations\\.ts", "domain/sandbox/(defects|start)/contract\\.ts"),
      packages("node:path"),
    ],
    mayNot: ["src/domain/pets/contract.ts", "src/storage/open.ts", "npm:node:fs"],
  },
  {
    name: "the sandbox",
    files: under("sandbox/"),
    may: [
      kernel,
      program,
      under("domain/", "sandbox/", "workers/delivery/sending/"),
      packages("node:crypto", "node:fs/promises", "node:path", "node:stream", "node:timers"),
    ],
    mayNot: ["src/storage/sqlite/open.ts", "src/server/server.ts"],
  },
  {
    name: "the program's version and files",
    files: program,
    may: [packages("node:fs", "node:path")],
    mayNot: ["src/config/config.ts", "npm:node:http"],
  },
  {
    name: "the public entry of the service",
    files: under("public/(open-petstore|petstore|require-runtime)\\.ts"),
    may: [
      under("(petstore|observability/log|config/(config|settings)|client/(sandbox-client|operations/pet))\\.ts"),
      under("public/(open-petstore|petstore|require-runtime)\\.ts"),
      packages("node:fs", "node:os", "node:path"),
    ],
    mayNot: ["src/server/server.ts", "src/storage/sqlite/open.ts", "src/client/client.ts", "npm:pino"],
  },
  {
    name: "the public entries for clients, which have to run where there is no Node",
    files: under("public/"),
    may: [under("client/")],
    mayNot: ["src/petstore.ts", "src/domain/api.ts", "npm:typebox", "npm:node:crypto"],
  },
  {
    name: "main",
    files: under("main\\.ts"),
    may: [
      ...[kernel, port, under("(config/config|petstore|server/graceful-shutdown|observability/(greeting|log))\\.ts")],
      packages("node:module"),
    ],
    mayNot: ["src/server/server.ts", "src/storage/sqlite/open.ts", "npm:node:http"],
  },
  {
    name: "the file of initial data",
    files: under("initial-data\\.ts"),
    may: [
      kernel,
      contract,
      under("sandbox/initial-data\\.ts", "(crypto|pet-files|storage/sandbox-files)/"),
      packages("node:fs", "node:fs/promises"),
    ],
    mayNot: ["src/storage/open.ts", "src/server/server.ts"],
  },
  {
    name: "the composition root",
    files: under("(petstore|store|shared|named-sandboxes|sandbox-sources|service)\\.ts"),
    may: [/^(src\/(?!cli\/|client\/|main\.ts)|npm:node:(crypto|path)$)/],
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
  "(api/operations/(audited-store|noting-store|invoke|idempotency)|site/oauth-server/records)\\.ts",
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
  const http = sources.filter((file) => /^src\/(server|api|site)\//.test(file))
  const found = http.filter((file) => changes(readFileSync(join(root, file), "utf8")))
  assert.deepEqual(
    found.filter((file) => !changing.test(file)),
    [],
  )
  assert.equal(found.length, 5, "an exception is obsolete")
})

test("the folders of src form no cycle", () => {
  const folderOf = (file: string) => /^src\/([\w-]+)\//.exec(file)?.[1]
  const folders = new Map<string, Set<string>>()
  for (const [file, targets] of imports)
    for (const target of targets) {
      const [from, to] = [folderOf(file), folderOf(target)]
      if (from && to && from !== to) folders.set(from, (folders.get(from) ?? new Set()).add(to))
    }
  assert.ok(folders.size > 8)
  assertAcyclic(folders)
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
  assert.ok(startsService("test/pets/pets.test.ts") && startsService("test/cli/cli.test.ts"))
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
const registries = /^src\/(domain\/[\w/-]+|storage\/sql\/(nouns|migrations))$/
const crowded = (files: readonly string[]) =>
  [...Map.groupBy(files, (file) => dirname(file))]
    .filter(([folder]) => !registries.test(folder))
    .filter(([folder, flat]) => flat.length > (files.some((file) => dirname(dirname(file)) === folder) ? 12 : 25))
    .map(([folder, flat]) => `${folder}: ${flat.length}`)

test("a folder has at most 25 files, and 12 beside subfolders", () => {
  const some = (folder: string, count: number) => Array.from({ length: count }, (_, n) => `${folder}/${n}.ts`)
  assert.deepEqual(crowded(some("src/site/serving", 26)), ["src/site/serving: 26"])
  assert.deepEqual(crowded([...some("src/site", 13), ...some("src/site/serving", 25)]), ["src/site: 13"])
  assert.deepEqual(crowded([...some("src/site", 12), ...some("src/domain/pets", 40)]), [])
  assert.deepEqual(crowded(sources), [])
})

test("the composition roots fit on a screen, and src contains no other files", () => {
  const linesOf = (file: string) => readFileSync(join(root, file), "utf8").trimEnd().split("\n").length
  assert.deepEqual(sources.filter((file) => dirname(file) === "src").sort(), [
    "src/initial-data.ts",
    "src/main.ts",
    "src/named-sandboxes.ts",
    "src/petstore.ts",
    "src/program.ts",
    "src/sandbox-sources.ts",
    "src/service.ts",
    "src/shared.ts",
    "src/store.ts",
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
      file.startsWith("src/domain/") &&
      !rules.test(file) &&
      !port.test(file) &&
      /\bthrow\b/.test(readFileSync(join(root, file), "utf8")),
  )
  assert.deepEqual(throwing, [])
})
