import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Send } from "../../../../client/client.ts"
import { createPetstoreClient } from "../../../../client/petstore-client.ts"
import { basePath } from "../../../../core/kernel/network/path.ts"
import { createSandboxClient } from "../../client/sandbox-client.ts"
import { workInSandboxes } from "../../exam/own-sandbox.ts"
import { groupOf } from "../../exam/program.ts"
import type { DefectId } from "../contract.ts"
import { failuresIn } from "./reports.ts"
import type { ToolRun } from "./score.ts"

type Tool = {
  /** The address of the service. */
  url: string
  command: string
  args: readonly string[]
  timeoutMs: number
  signal: AbortSignal
  /** Of the command, besides the variables of the sandbox. */
  environment: Readonly<Record<string, string | undefined>>
  /** Where the tool's output goes. */
  stdio: "ignore" | "inherit"
}

/** As of the program `timeout`. */
const killedCode = 124

/**
 * Runs a tool against a new sandbox with these defects. In its environment are the address of the sandbox and of its description,
 * credentials, and `TEST_REPORT`, a file for a report. The exit code of one that was killed after the timeout is 124. Rejects with the
 * reason of the signal when that is aborted, with the tool killed and the sandbox deleted.
 */
export async function runTool(tool: Tool, defects: readonly DefectId[]): Promise<ToolRun> {
  const name = `defects-${crypto.randomUUID()}`
  const directory = mkdtempSync(join(tmpdir(), "petstore-defects-"))
  const report = join(directory, "report")
  try {
    return await workInSandboxes({ url: tool.url, names: [name], signal: tool.signal }, async (send) => {
      const sandbox = createSandboxClient({ url: tool.url, name, fetch: send })
      const { url } = sandbox
      const credentials = await credentialsIn(url, send)
      await sandbox.setDefects({ body: { defects: [...defects] } })
      const code = await exitCode(tool, {
        ...credentials,
        TEST_URL: url,
        TEST_OPENAPI: `${url}${basePath}/openapi.json`,
        TEST_REPORT: report,
      })
      // That of a tool that was killed is not whole.
      const isWritten = code !== killedCode && existsSync(report)
      return { code, failures: isWritten ? failuresIn(readFileSync(report, "utf8")) : undefined }
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** A key for everything, one with 60 requests a minute, one that may only read pets, and the token of a customer. */
async function credentialsIn(url: string, send: Send) {
  const body = { name: "reader", scopes: ["read:pets" as const] }
  const key = await createPetstoreClient({ url, apiKey: "special-key", fetch: send }).createKey({ body })
  const user = { username: "user2", password: "password2" }
  const token = await createPetstoreClient({ url, fetch: send }).logIn({ body: user })
  return {
    TEST_KEY: "special-key",
    TEST_LIMITED_KEY: "free-key",
    TEST_READER_KEY: key.value.secret,
    TEST_USER_TOKEN: token.value,
  }
}

async function exitCode(
  { command, args, timeoutMs, signal, environment, stdio }: Tool,
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const env = { ...environment, ...variables }
  const tool = spawn(command, args, { env, stdio: ["ignore", stdio, stdio], detached: true })
  // What it has started would use the sandbox after it, which makes that again.
  using group = groupOf(tool, signal)
  const timer = setTimeout(group.kill, timeoutMs)
  const [code] = (await once(tool, "close").finally(() => clearTimeout(timer))) as [number | null]
  return code ?? killedCode
}
