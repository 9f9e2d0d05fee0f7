import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { installOnce, runTool } from "../harness/foreign-tools.ts"
import { type Call, toLines } from "./record.ts"

const source = join(import.meta.dirname, "checker")
const files = ["main.go", "models.go", "direct.go", "go.mod", "go.sum"].map((file) => `../../histories/checker/${file}`)

/** The program that judges histories, made with Porcupine; or the reason why it is missing. */
export const historyChecker = () =>
  installOnce("histories", files, async (path) => {
    cpSync(source, path, { recursive: true })
    await runTool("go", ["build", "-o", "checker", "."], path)
  })

type HistoryVerdict = { kind: Call["kind"]; calls: number; things: number; wrong?: string }

/** Judges a history: a verdict for each kind of thing. */
export async function judgeHistory(checker: string, calls: readonly Call[]): Promise<HistoryVerdict[]> {
  const program = spawn(join(checker, "checker"), [], { stdio: ["pipe", "pipe", "inherit"] })
  program.stdin.end(toLines(calls))
  const [out] = await Promise.all([text(program.stdout), once(program, "close")])
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
}
