import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as after } from "node:timers/promises"
import { jarOf, openapiGenerator, runTool, testingTools } from "../../test/harness/foreign-tools.ts"
import { requirePath } from "./adapters.ts"

export type Service = { name: string; version: string; url: string }

type Candidate = {
  name: string
  /** Prepares it in a folder that has the classic description; resolves with its version and what starts it. */
  prepare(folder: string, port: number): Promise<{ version: string; command: readonly string[] }>
  basePath: string
}

const candidates: readonly Candidate[] = [
  {
    name: "Prism mock",
    basePath: "/",
    async prepare(folder, port) {
      const prism = join(requirePath(await testingTools()), "node_modules", ".bin", "prism")
      const version = (await runTool(prism, ["--version"], folder)).trim()
      return { version, command: [prism, "mock", "--port", String(port), join(folder, "openapi.json")] }
    },
  },
  {
    name: "Spring, generated",
    basePath: "/api/v3",
    async prepare(folder, port) {
      const jar = join(requirePath(await openapiGenerator()), jarOf("openapi-generator"))
      const server = join(folder, "spring")
      const options = ["--library=spring-boot", "--additional-properties=useSpringBoot3=true,artifactVersion=1"]
      await runTool(
        "java",
        ["-jar", jar, "generate", "-i", join(folder, "openapi.json"), "-g", "spring", "-o", server, ...options],
        folder,
      )
      await runTool("mvn", ["-q", "-B", "-DskipTests", "package"], server)
      const program = join(server, "target", "openapi-spring-1.jar")
      const listen = [`--server.port=${port}`, "--server.address=127.0.0.1"]
      return { version: /([\d.]+)\.jar$/.exec(jar)?.[1] ?? "", command: ["java", "-jar", program, ...listen] }
    },
  },
]

const startedMs = 60_000

/** Starts the other pet stores that build here; those that lack something are skipped with the reason. */
export async function startServices(folder: string, description: string) {
  writeFileSync(join(folder, "openapi.json"), description)
  const opened = new AsyncDisposableStack()
  const [services, skipped]: [Service[], { name: string; reason: string }[]] = [[], []]
  for (const [n, { name, prepare, basePath }] of candidates.entries())
    try {
      const port = 21_100 + n
      const { version, command } = await prepare(folder, port)
      const [program = "", ...args] = command
      const child = spawn(program, args, { stdio: "ignore" })
      opened.defer(() => void child.kill("SIGKILL"))
      const url = `http://127.0.0.1:${port}${basePath}`
      await untilItResponds(url)
      services.push({ name, version, url })
    } catch (error) {
      skipped.push({ name, reason: (error as Error).message.split("\n")[0] ?? "" })
    }
  return { services, skipped, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function untilItResponds(url: string): Promise<void> {
  for (const end = Date.now() + startedMs; Date.now() < end; await after(200))
    if (await fetch(url).catch(() => undefined)) return
  throw new Error(`it does not respond after ${startedMs / 1000} seconds`)
}
