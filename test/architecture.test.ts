import assert from "node:assert/strict"
import { globSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative } from "node:path"
import { test } from "node:test"

const root = join(import.meta.dirname, "..")
const linesMax = 300
const sources = globSync("src/**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"))

/** What a file imports: project files as paths from the root, everything else by its specifier. */
const imports = new Map(
  sources.map((file) => {
    const text = readFileSync(join(root, file), "utf8")
    const specifiers = [
      ...text.matchAll(/^(?:import|export|\}) (?:[^"\n]*from )?"([^"]+)"|\bimport\("([^"]+)"\)/gm),
    ].map(([, named, dynamic]) => named ?? (dynamic as string))
    const resolve = (specifier: string) =>
      specifier.startsWith(".") ? relative(root, normalize(join(root, dirname(file), specifier))) : specifier
    return [file, specifiers.map(resolve)] as const
  }),
)

type Rule = { name: string; files: RegExp; may: RegExp[] }

const kernel = /^src\/kernel\//
const contract = /^src\/domain\/(\w+\/contract|endpoint|problems(\/\w+)?|scopes|tags|api)\.ts$/
const rules = /^src\/domain\/\w+\/rules\.ts$/
const port =
  /^src\/domain\/(\w+\/store|images\/lab|limits\/limiter|users\/passwords|sessions\/attempts|store|origin|policy|signals|sealing|targets|operation)\.ts$/
const noun = /^src\/domain\/(\w+)\//

/** The first rule whose `files` match holds; what it does not list is forbidden. */
const table: Rule[] = [
  { name: "the schema check", files: /^src\/kernel\/check\.ts$/, may: [kernel, /^typebox$/, /^ajv(-formats$|\/)/] },
  { name: "addresses", files: /^src\/kernel\/address\.ts$/, may: [/^ipaddr\.js$/] },
  { name: "the kernel", files: kernel, may: [kernel, /^typebox$/] },
  { name: "a contract", files: contract, may: [kernel, contract, /^typebox$/] },
  { name: "rules", files: rules, may: [kernel, contract, rules] },
  { name: "a port", files: port, may: [kernel, contract, port, /^typebox$/] },
  { name: "operations", files: /^src\/domain\/(\w+\/)?operations\.ts$/, may: [contract, port, /^src\/domain\//] },
  {
    name: "a verb",
    files: noun,
    may: [
      kernel,
      contract,
      rules,
      port,
      /^src\/domain\/(\w+\/steps|keys\/secret|sessions\/sign-in|users\/confirmation)\.ts$/,
    ],
  },
  { name: "passwords", files: /^src\/argon2\//, may: [kernel, port, /^@node-rs\/argon2$/] },
  {
    name: "storage",
    files: /^src\/storage\//,
    may: [kernel, contract, port, /^src\/domain\/(limits|events)\/rules\.ts$/, /^src\/storage\//, /^node:/],
  },
  { name: "imaging", files: /^src\/imaging\//, may: [kernel, contract, port, /^src\/imaging\//, /^node:/, /^sharp$/] },
  {
    name: "the server",
    files: /^src\/server\//,
    may: [
      kernel,
      contract,
      port,
      /^src\/domain\/(\w+\/secret|(deliveries|events)\/(rules|steps))\.ts$/,
      /^src\/server\//,
      /^[^.]/,
    ],
  },
  { name: "the client", files: /^src\/client\//, may: [kernel, contract, /^src\/client\//] },
  {
    name: "the command line's entry",
    files: /^src\/cli\/main\.ts$/,
    may: [kernel, contract, /^src\/(client|cli)\//, /^src\/config\.ts$/, /^package\.json$/, /^node:/],
  },
  { name: "the command line", files: /^src\/cli\//, may: [kernel, contract, /^src\/(client|cli)\//, /^node:/] },
  {
    name: "configuration",
    files: /^src\/config(-policy)?\.ts$/,
    may: [kernel, /^src\/(config-policy|domain\/policy)\.ts$/, /^node:(net|path)$/],
  },
  { name: "sealing", files: /^src\/aes\//, may: [port, /^node:crypto$/] },
  {
    name: "the key of the sealing",
    files: /^src\/secret-key\.ts$/,
    may: [kernel, port, /^src\/aes\//, /^src\/storage\/disk\/key-file\.ts$/, /^node:path$/],
  },
  {
    name: "the first start",
    files: /^src\/((first-start|blob-binding)\.ts$|sandbox\/)/,
    may: [kernel, /^src\/(domain|sandbox)\//, /^node:(crypto|fs\/promises|path|stream)$/],
  },
  {
    name: "main",
    files: /^src\/main\.ts$/,
    may: [kernel, port, /^src\/(config|petstore|server\/(drain|greeting|log))\.ts$/],
  },
  { name: "the composition root", files: /^src\/petstore\.ts$/, may: [/./] },
]

test("every file imports only what its place in the house allows", () => {
  const broken: string[] = []
  for (const [file, targets] of imports) {
    const rule = table.find(({ files }) => files.test(file))
    if (!rule) broken.push(`${file} has no place in the house`)
    for (const target of targets)
      if (rule && !rule.may.some((allowed) => allowed.test(target)))
        broken.push(`${rule.name}: ${file} imports ${target}`)
  }
  assert.deepEqual(broken, [])
})

test("storage and server never meet, and a verb never imports another verb", () => {
  const broken: string[] = []
  for (const [file, targets] of imports)
    for (const target of targets) {
      if (file.startsWith("src/server/") && target.startsWith("src/storage/")) broken.push(`${file} → ${target}`)
      if (file.startsWith("src/storage/") && target.startsWith("src/server/")) broken.push(`${file} → ${target}`)
      if (target === "src/main.ts" || target === "src/cli/main.ts") broken.push(`${file} → ${target}`)
    }
  assert.deepEqual(broken, [])
})

test("imports form no cycle, those of types included", () => {
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    assert.ok(!path.includes(file), `cycle: ${[...path.slice(path.indexOf(file)), file].join(" → ")}`)
    if (done.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of sources) visit(file, [])
})

test(`no source file is longer than ${linesMax} lines`, () => {
  const tooLong = sources.filter((file) => readFileSync(join(root, file), "utf8").split("\n").length > linesMax)
  assert.deepEqual(tooLong, [])
})

test("main only starts and stops what the composition root makes", () => {
  assert.ok(readFileSync(join(root, "src/main.ts"), "utf8").split("\n").length <= 41)
  const importers = [...imports].flatMap(([file, targets]) => (targets.includes("src/petstore.ts") ? [file] : []))
  assert.deepEqual(importers, ["src/main.ts"])
})

test("only the two entry points read the environment", () => {
  const readers = sources.filter((file) => readFileSync(join(root, file), "utf8").includes("process.env"))
  assert.deepEqual(readers.sort(), ["src/cli/main.ts", "src/main.ts"])
})

test("a verb raises problems only through its context, where the compiler checks them", () => {
  const throwing = sources.filter(
    (file) => noun.test(file) && !rules.test(file) && /\bthrow\b/.test(readFileSync(join(root, file), "utf8")),
  )
  assert.deepEqual(throwing, [])
})
