import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import {
  examJava,
  examPython,
  examRust,
  jarOf,
  openapiGenerator,
  runTool,
  type Tool,
} from "../../test/harness/foreign-tools.ts"
import { addPackage } from "../../test/harness/package.ts"

/** What starts the adapter of a client, and what it is of; `isDocumented` with the options that its documentation recommends. */
export type Adapter = {
  name: string
  version: string
  isDocumented?: true
  command: readonly string[]
  env?: Record<string, string>
}

/** A client, and how its adapter is prepared in a copy of `examples/exam`. Rejects when something that it needs is missing. */
type Candidate = {
  name: string
  /** Its adapter has the switch `documented`. */
  hasSwitch?: true
  prepare(folder: string): Promise<Omit<Adapter, "name">>
}

const examples = join(import.meta.dirname, "..", "..", "examples", "exam")
const compiler = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "tsc")
const withSwitch = { hasSwitch: true } as const

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

/** A client of the adapter in Go, of this module. */
const ofGo = (name: string, client: string, module: string): Candidate => ({
  name,
  async prepare(folder) {
    const directory = join(folder, "go")
    const program = join(directory, "adapter")
    await runTool("go", ["build", "-o", program, "."], directory)
    const listed = await runTool("go", ["list", "-m", module], directory)
    return { version: listed.trim().split(" v").at(-1) as string, command: [program, client] }
  },
})

/** A client of the adapter in Java, of the library whose jar begins so; without one it is of the JDK. */
const ofJava = (name: string, client: string, jar?: string): Candidate => ({
  name,
  async prepare(folder) {
    const [libraries, source] = [requirePath(await examJava()), join(folder, "java")]
    const path = [join(libraries, "*"), source].join(delimiter)
    await runTool("javac", ["-cp", path, "-sourcepath", source, ...globSync(join(source, "*.java"))], folder)
    const [, inJar] = new RegExp(`^${jar}-([\\d.]+)\\.jar$`, "m").exec(readdirSync(libraries).join("\n")) ?? []
    const [, ofJdk = "", year = ""] = /"([\d._]+)" (\d{4})/.exec(await runTool("java", ["-version"], folder)) ?? []
    const command = ["java", "-cp", path, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "Adapter", client]
    return { version: inJar ?? `${ofJdk} of ${year}`, command }
  },
})

const candidates: readonly Candidate[] = [
  ofNode("petstore client", "petstore.mjs", "@petstore-service/petstore"),
  { ...ofNode("axios, axios-retry", "axios-retry.mjs", "axios"), ...withSwitch },
  { ...ofNode("ky", "ky.mjs", "ky"), ...withSwitch },
  { ...ofNode("got", "got.mjs", "got"), ...withSwitch },
  { ...ofNode("undici RetryAgent", "undici.mjs", "undici"), ...withSwitch },
  { ...ofNode("Octokit core, retry, paginate", "octokit.mjs", "@octokit/core"), ...withSwitch },
  {
    name: "fetch of Node",
    prepare: async (folder) => ({
      version: process.versions.node,
      command: [process.execPath, join(folder, "fetch.mjs")],
    }),
  },
  { ...ofPython("requests, urllib3", "with_requests.py", ["requests", "urllib3"]), ...withSwitch },
  ofPython("httpx", "with_httpx.py", ["httpx"]),
  { ...ofPython("aiohttp-retry, aiohttp", "with_aiohttp_retry.py", ["aiohttp-retry", "aiohttp"]), ...withSwitch },
  ofPython("Authlib", "with_authlib.py", ["Authlib"]),
  { ...ofGo("go-retryablehttp", "retryablehttp", "github.com/hashicorp/go-retryablehttp"), ...withSwitch },
  { ...ofGo("Resty", "resty", "github.com/go-resty/resty/v2"), ...withSwitch },
  ofGo("golang.org/x/oauth2", "oauth2", "golang.org/x/oauth2"),
  ofJava("java.net.http", "JdkClient"),
  ofJava("OkHttp", "OkClient", "okhttp-jvm"),
  { ...ofJava("Apache HttpClient", "ApacheClient", "httpclient5"), ...withSwitch },
  { ...ofJava("Spring RestClient", "SpringClient", "spring-web"), ...withSwitch },
  {
    name: "reqwest, reqwest-retry",
    hasSwitch: true,
    async prepare() {
      const path = requirePath(await examRust())
      const [, version = ""] =
        /name = "reqwest"\nversion = "(.*)"/.exec(readFileSync(join(path, "Cargo.lock"), "utf8")) ?? []
      return { version, command: [join(path, "release", "petstore-exam")] }
    },
  },
  {
    name: "Guzzle",
    hasSwitch: true,
    async prepare(folder) {
      const status = await runTool("dpkg-query", ["--status", "php-guzzlehttp-guzzle"], folder)
      const [, version = ""] = /^Version: ([\d.]+)/m.exec(status) ?? []
      return { version: `${version} of 2022`, command: ["php", join(folder, "guzzle.php")] }
    },
  },
  {
    name: "Faraday",
    hasSwitch: true,
    async prepare(folder) {
      const version = await runTool("ruby", ["-e", 'require "faraday"; puts Faraday::VERSION'], folder)
      return { version: `${version.trim()} of 2020`, command: ["ruby", join(folder, "faraday.rb")] }
    },
  },
  {
    name: "curl",
    hasSwitch: true,
    async prepare(folder) {
      await runTool("jq", ["--version"], folder)
      const [, version = "", year = ""] =
        /^curl (\S+).*Release-Date: (\d+)/s.exec(await runTool("curl", ["--version"], folder)) ?? []
      return { version: `${version} of ${year}`, command: ["bash", join(folder, "curl.sh")] }
    },
  },
  {
    name: "openapi-generator, Python",
    hasSwitch: true,
    async prepare(folder) {
      const version = await generate(folder, "python")
      const python = join(requirePath(await examPython()), "bin", "python")
      const env = { PYTHONPATH: join(folder, "generated", "python") }
      return { version, command: [python, join(folder, "with_openapi_generator.py")], env }
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

/** Prepares the adapters in a folder, or only those of one client; those that lack something are skipped with the reason. */
export async function prepareAdapters(folder: string, openapi: string, only?: string) {
  cpSync(examples, folder, { recursive: true, filter: (path) => !path.includes("node_modules") })
  mkdirSync(join(folder, "generated"))
  writeFileSync(join(folder, "openapi.json"), openapi)
  await runTool("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], folder)
  await addPackage(folder)
  const [adapters, skipped]: [Adapter[], { name: string; reason: string }[]] = [[], []]
  for (const { name, hasSwitch, prepare } of candidates.filter((one) => only === undefined || one.name === only))
    try {
      const adapter = { name, ...(await prepare(folder)) }
      adapters.push(adapter)
      if (hasSwitch) adapters.push({ ...adapter, isDocumented: true, command: [...adapter.command, "documented"] })
    } catch (error) {
      const [reason = ""] = (error as Error).message.split("\n")
      skipped.push({ name, reason })
    }
  return { adapters, skipped }
}
