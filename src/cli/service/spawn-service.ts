import { type ChildProcess, type StdioOptions, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { programFile } from "../../program.ts"
import type { World } from "../command/command.ts"

/** Starts the service as a program of its own, which sends its URL and stops in order once its channel or this process ends. */
export const spawnService = (
  environment: World["environment"],
  output: Exclude<StdioOptions, readonly unknown[]> | number,
): ChildProcess =>
  spawn(programFile("../bin/petstore"), ["serve"], {
    env: environment,
    stdio: ["ignore", output, "inherit", "ipc"],
  })

/** Stops the service when this command is interrupted; resolves with its exit code. */
export async function endOfService(service: ChildProcess, interrupted: AbortSignal): Promise<number> {
  interrupted.addEventListener("abort", () => stopService(service))
  const [code] = await once(service, "exit")
  return code ?? 1
}

/** Lets the service stop in order. */
export function stopService(service: ChildProcess): void {
  if (service.connected) service.disconnect()
}

/** A directory for data that are deleted at the end. */
export function openTemporaryDirectory(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "petstore-"))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
