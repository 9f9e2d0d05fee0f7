import { setTimeout as after } from "node:timers/promises"
import type { Send } from "../../../client/client.ts"
import { createSandboxClient, type SandboxClient } from "../client/sandbox-client.ts"
import { within } from "./within.ts"

/** How long what has started may take to end after an interruption, in milliseconds. */
const endingMs = 2_000
const deletionMs = 3_000
/** What a program has sent before it was killed may arrive after the deletion. */
const arrivalMs = 200

type OwnSandboxes = { url: string; names: readonly string[]; signal: AbortSignal }

/**
 * Does work in sandboxes with these names, and deletes them at the end. Once the signal is aborted, `send` sends nothing, because a
 * request makes a named sandbox again. Rejects with the reason of the signal then.
 */
export async function workInSandboxes<T>(
  { url, names, signal }: OwnSandboxes,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  const send: Send = async (address, request) => {
    signal.throwIfAborted()
    return fetch(address, request)
  }
  try {
    return await untilAborted(signal, () => work(send))
  } finally {
    const service = createSandboxClient({ url })
    const deleteAll = () => Promise.allSettled(names.map((name) => deleteInTime(service, name)))
    await deleteAll()
    if (signal.aborted) await after(arrivalMs).then(deleteAll)
  }
}

/** Unless the deletion is done soon it rejects: the service deletes a sandbox that is not used. */
export const deleteInTime = (service: SandboxClient, name: string) =>
  service.deleteSandbox({ params: { name } }, { signal: AbortSignal.timeout(deletionMs) })

/** The result of work; when the signal is aborted it rejects with the reason, once the work has ended or does not end soon. */
export async function untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const end = () => aborted.reject(signal.reason)
  signal.addEventListener("abort", end)
  const working = work()
  try {
    return await Promise.race([working, aborted.promise])
  } catch (error) {
    if (!signal.aborted) throw error
    await within(endingMs, Promise.allSettled([working]))
    throw signal.reason
  } finally {
    signal.removeEventListener("abort", end)
  }
}
