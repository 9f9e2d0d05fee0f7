import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { temporaryDirectory } from "./directory.ts"
import { addPackage } from "./package.ts"
import { isShown, readRecipe, replaceIn } from "./read-recipe.ts"
import { until } from "./until.ts"

const root = join(import.meta.dirname, "..", "..")
const commandTimeoutMs = 100_000
/** What a page that promises seconds may take, on a machine of any speed: a program that waits for its hour or its month takes longer. */
export const secondsMs = 30_000
const { scripts }: { scripts: object } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** A running program; `output` is its output so far, of both streams. */
type Running = {
  output(): string
  waitForOutput(text: string): Promise<void>
  /** Waits until the output contains what the page shows. */
  waitForShown(): Promise<void>
  waitForEnd(): Promise<void>
  end(): Promise<void>
}

/** A page of docs/recipes, in a temporary directory with its files, and the package when the page uses it. */
type Recipe = AsyncDisposable & {
  path: string
  /** The commands of the page, in order. */
  commands: readonly string[]
  /**
   * Runs the command of the page with this prefix until it exits; resolves with its output, rejects when it fails. Where the page
   * shows the output, that decides: a command that is shown to fail may fail.
   */
  run(prefix: string): Promise<string>
  /** Starts the command of the page with this prefix, with some words replaced; disposing of the recipe ends it. */
  start(prefix: string, replaced?: Record<string, string>): Running
  /** The commands of the page that have not run. */
  remaining(): string[]
}

/**
 * Opens a recipe exactly as written: of the page's text, only the addresses in `replaced` are changed, and that of the service,
 * if there is one.
 */
export async function openRecipe(
  name: string,
  url: string | undefined,
  replaced: Record<string, string> = {},
): Promise<Recipe> {
  const directory = temporaryDirectory()
  const { host, port } = new URL(url ?? "http://127.0.0.1:8080")
  const { files, commands, outputs, usesPackage, usesCheckout } = readRecipe(name, {
    "127.0.0.1:8080": host,
    "localhost:8080": host,
    ...replaced,
  })
  for (const [file, text] of files) {
    mkdirSync(dirname(join(directory.path, file)), { recursive: true })
    writeFileSync(join(directory.path, file), text)
  }
  writeFileSync(join(directory.path, ".curlrc"), "silent\nshow-error\n")
  if (usesPackage) await addPackage(directory.path)
  if (usesCheckout) {
    symlinkSync(join(root, "petstore"), join(directory.path, "petstore"))
    writeFileSync(join(directory.path, "package.json"), JSON.stringify({ scripts }))
  }
  const remaining = new Set(commands)
  const started: ChildProcess[] = []

  function launch(prefix: string, replaced: Record<string, string> = {}) {
    const matching = new Set(commands.filter((command) => command.startsWith(prefix)))
    const [command = ""] = matching.has(prefix) ? [prefix] : matching
    if (matching.size !== 1 && command !== prefix) throw new Error(`${name} has ${matching.size} commands "${prefix}"`)
    remaining.delete(command)
    const child = spawn("bash", ["-euc", replaceIn(command, replaced)], {
      cwd: directory.path,
      detached: true,
      env: { ...environment(directory.path), ...(url && { PETSTORE_URL: url, PETSTORE_PORT: port }) },
      stdio: ["ignore", "pipe", "pipe"],
    })
    started.push(child)
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
      })
    return { child, command, output: () => output }
  }

  return {
    path: directory.path,
    commands,
    async run(prefix) {
      const { child, command, output } = launch(prefix)
      const timer = setTimeout(() => end(child), commandTimeoutMs)
      const [code] = await once(child, "close")
      clearTimeout(timer)
      const shown = outputs.get(command)
      if (shown === undefined ? code !== 0 : !isShown(shown, output()))
        throw new Error(`${command} ended with ${code}: ${output()}${shown ? `, not as the page shows: ${shown}` : ""}`)
      return output()
    },
    start(prefix, replaced) {
      const { child, command, output } = launch(prefix, replaced)
      const waitFor = async (isThere: (text: string) => boolean) => {
        await until(() => isThere(output()) || child.exitCode !== null, `output of ${command}: ${output()}`)
        if (!isThere(output())) throw new Error(`${command} ended; output: ${output()}`)
      }
      return {
        output,
        end: () => stop(child),
        waitForOutput: (text) => waitFor((printed) => printed.includes(text)),
        waitForEnd: () => until(() => child.exitCode !== null, `${command} does not end: ${output()}`),
        waitForShown: () => waitFor((printed) => isShown(`…${outputs.get(command)}…`, printed)),
      }
    },
    remaining: () => [...remaining],
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

/** Kills the whole process group, because a shell does not forward signals. The group may have ended already. */
function end({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid as number), "SIGKILL")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}

/**
 * This process's environment without settings of a service and without variables of the test runner; commands keep state in the
 * folder. As on a terminal, curl shows no progress.
 */
const environment = (folder: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PETSTORE_|NODE_TEST_CONTEXT$)/.test(name))),
  XDG_STATE_HOME: join(folder, ".state"),
  CURL_HOME: folder,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
})
