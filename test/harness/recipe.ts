import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { temporaryDirectory } from "./petstore.ts"
import { readRecipe, replaceIn } from "./read-recipe.ts"
import { until } from "./until.ts"

const root = join(import.meta.dirname, "..", "..")
const commandTimeoutMs = 100_000

/** A program that goes on running; what it has said so far, on both outputs. */
type Running = { said(): string; says(text: string): Promise<void>; end(): Promise<void> }

/** A page of docs/recipes, in an empty folder that has its files, and the package where it uses it. */
type Recipe = AsyncDisposable & {
  path: string
  /** The commands of the page, in their order. */
  commands: readonly string[]
  /** Runs the command of the page that begins so to its end; resolves with what it said, rejects when it fails. */
  run(beginning: string): Promise<string>
  /** Starts the command of the page that begins so, with others of its words replaced; it ends with the recipe. */
  start(beginning: string, replaced?: Record<string, string>): Running
  /** The commands of the page that nobody has run. */
  left(): string[]
}

/**
 * Opens a recipe to be followed as it stands: of the page's text, only the addresses in `replaced` become others, such as that
 * of the service.
 */
export async function openRecipe(name: string, url: string, replaced: Record<string, string> = {}): Promise<Recipe> {
  const directory = temporaryDirectory()
  const { files, commands, usesPackage } = readRecipe(name, { "127.0.0.1:8080": new URL(url).host, ...replaced })
  for (const [file, text] of files) writeFileSync(join(directory.path, file), text)
  if (usesPackage) addPackage(directory.path)
  const left = new Set(commands)
  const started: ChildProcess[] = []

  function launch(beginning: string, replaced: Record<string, string> = {}) {
    const found = new Set(commands.filter((command) => command.startsWith(beginning)))
    const [command = ""] = found.has(beginning) ? [beginning] : found
    if (found.size !== 1 && command !== beginning) throw new Error(`${name} has ${found.size} commands "${beginning}"`)
    left.delete(command)
    const child = spawn("bash", ["-euc", replaceIn(command, replaced)], {
      cwd: directory.path,
      detached: true,
      env: { ...environment(directory.path), PETSTORE_URL: url, PETSTORE_PORT: new URL(url).port },
      stdio: ["ignore", "pipe", "pipe"],
    })
    started.push(child)
    let said = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text
      })
    return { child, command, said: () => said }
  }

  return {
    path: directory.path,
    commands,
    async run(beginning) {
      const { child, command, said } = launch(beginning)
      const timer = setTimeout(() => end(child), commandTimeoutMs)
      const [code] = await once(child, "close")
      clearTimeout(timer)
      if (code !== 0) throw new Error(`${command} ended with ${code}: ${said()}`)
      return said()
    },
    start(beginning, replaced) {
      const { child, command, said } = launch(beginning, replaced)
      const isOver = () => child.exitCode !== null
      return {
        said,
        end: () => stop(child),
        async says(text) {
          await until(() => said().includes(text) || isOver(), `${command} said: ${said()}`)
          if (!said().includes(text)) throw new Error(`${command} ended and said: ${said()}`)
        },
      }
    },
    left: () => [...left],
    async [Symbol.asyncDispose]() {
      for (const child of started) await stop(child)
      directory[Symbol.dispose]()
    },
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, "close")
  end(child)
  await closed
}

/** With everything it started: a shell does not hand on the signals that it gets. It may have ended just now. */
function end({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid as number), "SIGKILL")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

/** Ours without the settings of a service and what the test runner tells its children; what is kept between commands is kept in the folder. */
const environment = (folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PETSTORE_|NODE_TEST_CONTEXT$)/.test(name))),
  XDG_STATE_HOME: folder,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
})

/** Stands for the installed package, whose code is that of this checkout. */
function addPackage(folder: string): void {
  const [modules, place] = [join(folder, "node_modules"), join(folder, "node_modules", "petstore")]
  mkdirSync(join(modules, ".bin"), { recursive: true })
  mkdirSync(place)
  const entry = (name: string) => `./src/public/${name}.ts`
  const entries = { ".": entry("petstore"), "./client": entry("client"), "./webhooks": entry("webhooks") }
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "petstore", type: "module", exports: entries }))
  symlinkSync(join(root, "src"), join(place, "src"))
  const runtime = JSON.stringify(join(root, "bin", "runtime.mjs"))
  const command = `#!/usr/bin/env node\nimport(${runtime}).then(({ runPetstore }) => runPetstore("src"))\n`
  writeFileSync(join(modules, ".bin", "petstore"), command, { mode: 0o755 })
}
