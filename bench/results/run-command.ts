import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { text } from "node:stream/consumers"

export const petstoreScript = join(import.meta.dirname, "..", "..", "petstore")

/** Runs a command of petstore that prints JSON. Rejects when it prints something else. */
export async function runCommand<T>(
  url: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<T> {
  const child = spawn(petstoreScript, ["--json", ...args], {
    env: { ...process.env, PETSTORE_URL: url, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  })
  const [out] = await Promise.all([text(child.stdout), once(child, "close")])
  return JSON.parse(out)
}
