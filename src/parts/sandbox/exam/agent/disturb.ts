import type { PetstoreClient } from "../../../../client/petstore-client.ts"
import type { SandboxClient } from "../../client/sandbox-client.ts"
import type { HeldRequest } from "../../holds/contract.ts"
import type { AgentTask } from "./agent-task.ts"

/** Lets another caller act while a request of the agent is held, or when the agent has ended without it. */
export async function disturb(
  { meanwhile }: Pick<AgentTask, "meanwhile">,
  sandbox: SandboxClient,
  others: PetstoreClient,
  ended: AbortSignal,
): Promise<void> {
  if (!meanwhile) return
  const held = await waitForHeld(sandbox, ended)
  await meanwhile.act(others, sandbox)
  // The agent may have closed its connection.
  if (held) await sandbox.release(held.id).catch(() => undefined)
}

async function waitForHeld({ listHolds }: SandboxClient, signal: AbortSignal): Promise<HeldRequest | undefined> {
  while (!signal.aborted) {
    const [listed] = await Promise.allSettled([listHolds({ query: { within: "PT30S" } }, { signal })])
    if (listed.status === "fulfilled" && listed.value.value[0]) return listed.value.value[0]
    if (listed.status === "rejected" && !signal.aborted) throw listed.reason
  }
  return undefined
}
