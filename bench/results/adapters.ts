import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import {
  examPython,
  jarOf,
  javaLibraries,
  openapiGenerator,
  runTool,
  type Tool,
} from "../../test/harness/foreign-tools.ts"
import { addPackage } from "../../test/harness/package.ts"

/** What starts the adapter of a client, and what it is of. */
export type Adapter = { name: string; version: string; command: readonly string[]; env?: Record<string, string> }

/** A client, and how its adapter is prepared in a copy of `examples/exam`. Rejects when something that it needs is missing. */
type Candidate = { name: string; prepare(folder: string): Promise<Omit<Adapter, "name">> }

const examples = join(import.meta.dirname, "..", "..", "examples", "exam")
const compiler = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "tsc")

/** An adapter that Node runs, of this package. */
const ofNode = (name: string, file: string, packageName: string): Candidate => ({
  name,
  prepare: async (folder) => ({
    version: versionOf(folder, packageName),
    command: [process.execPath, join(folder, file)],
  }),
})

const versionOf = (folder: string, packageName: string): string =>
  JSON.parse(readFileSync(join(folder, "node_modules", packageName, "package.json"), "utf8")).version

/** An adapter that Python runs, of these packages. */
const ofPython = (name: string, file: string, packages: readonly string[]): Candidate => ({
  name,
  async prepare(folder) {
    const python = join(requirePath(await examPython()), "bin", "python")
    const source = `from importlib.metadata import version; print(", ".join(version(p) for p in "${packages.join(" ")}".split()))`
    const version = (await runTool(python, ["-c", source], folder)).trim()
    return { version, command: [python, join(folder, file)] }
  },
})

const candidates: readonly Candidate[] = [
  ofNode("petstore client", "petstore.mjs", "@petstore-service/petstore"),
  ofNode("axios, axios-retry", "axios-retry.mjs", "axios"),
  ofNode("ky", "ky.mjs", "ky"),
  ofNode("got", "got.mjs", "got"),
  {
    name: "fetch of Node",
    prepare: async (folder) => ({
      version: process.versions.node,
      command: [process.execPath, join(folder, "fetch.mjs")],
    }),
  },
  ofPython("requests, urllib3", "with_requests.py", ["requests", "urllib3"]),
  ofPython("httpx", "with_httpx.py", ["httpx"]),
  {
    name: "go-retryablehttp",
    async prepare(folder) {
      const directory = join(folder, "go")
      const program = join(directory, "adapter")
      await runTool("go", ["build", "-o", program, "."], directory)
      const listed = await runTool("go", ["list", "-m", "github.com/hashicorp/go-retryablehttp"], directory)
      return { version: listed.trim().split(" v").at(-1) as string, command: [program] }
    },
  },
  {
    name: "java.net.http",
    async prepare(folder) {
      const path = [join(requirePath(await javaLibraries("java")), "*"), join(folder, "java")].join(delimiter)
      await runTool("javac", ["-cp", path, join(folder, "java", "Adapter.java")], folder)
      const [version = ""] = /"[\d._]+"/.exec(await runTool("java", ["-version"], folder)) ?? []
      return { version: version.replaceAll('"', ""), command: ["java", "-cp", path, "-XX:+UseSerialGC", "Adapter"] }
    },
  },
  {
    name: "curl",
    async prepare(folder) {
      await runTool("jq", ["--version"], folder)
      const [, version = ""] = /^curl (\S+)/.exec(await runTool("curl", ["--version"], folder)) ?? []
      return { version, command: ["bash", join(folder, "curl.sh")] }
    },
  },
  {
    name: "openapi-generator, Python",
    async prepare(folder) {
      const version = await generate(folder, "python")
      const command = [
        join(requirePath(await examPython()), "bin", "python"),
        join(folder, "with_openapi_generator.py"),
      ]
      return { version, command, env: { PYTHONPATH: join(folder, "generated", "python") } }
    },
  },
  {
    name: "openapi-generator, TypeScript",
    async prepare(folder) {
      const version = await generate(folder, "typescript-axios", "--additional-properties=importFileExtension=.js")
      const source = join(folder, "generated", "typescript-axios")
      writeFileSync(join(source, "package.json"), '{"type":"module"}')
      const options = ["--module", "nodenext", "--target", "es2022", "--skipLibCheck", "--types", ""]
      await runTool(process.execPath, [compiler, ...options, join(source, "index.ts")], folder)
      return { version, command: [process.execPath, join(folder, "typescript-axios.mjs")] }
    },
  },
  ofNode("standardwebhooks", "standardwebhooks.mjs", "standardwebhooks"),
]

async function generate(folder: string, language: string, ...options: string[]): Promise<string> {
  const jar = join(requirePath(await openapiGenerator()), jarOf("openapi-generator"))
  const output = join(folder, "generated", language)
  const noExtras = "--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"
  const from = ["-i", join(folder, "openapi.json"), "-g", language, "-o", output, noExtras]
  await runTool("java", ["-jar", jar, "generate", ...from, ...options], folder)
  return /([\d.]+)\.jar$/.exec(jar)?.[1] ?? ""
}

/** The directory of a tool; throws the reason why it is missing. */
export function requirePath({ path, missing }: Tool): string {
  if (path === undefined) throw new Error(missing)
  return path
}

/** Prepares the adapters in a folder; those that lack something are skipped with the reason. */
export async function prepareAdapters(folder: string, openapi: string) {
  cpSync(examples, folder, { recursive: true, filter: (path) => !path.includes("node_modules") })
  mkdirSync(join(folder, "generated"))
  writeFileSync(join(folder, "openapi.json"), openapi)
  await runTool("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder)
  await addPackage(folder)
  const [adapters, skipped]: [Adapter[], { name: string; reason: string }[]] = [[], []]
  for (const { name, prepare } of candidates)
    try {
      adapters.push({ name, ...(await prepare(folder)) })
    } catch (error) {
      const [reason = ""] = (error as Error).message.split("\n")
      skipped.push({ name, reason })
    }
  return { adapters, skipped }
}
