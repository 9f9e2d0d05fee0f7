import type { Send } from "../../../../client/client.ts"
import { createPetstoreClient, type PetstoreClient } from "../../../../client/petstore-client.ts"
import type { KeyDraft } from "../../../../core/domain/keys/contract.ts"
import { mcpPath } from "../../../../core/kernel/network/path.ts"
import { giveVerdict, type TaskOutcome, type TaskVerdict } from "../../../../examiner/verdict.ts"
import { createSandboxClient, type SandboxClient } from "../../client/sandbox-client.ts"
import type { FaultRule } from "../../faults/contract.ts"
import { examineAll, type ReportVerdict } from "../examine-all.ts"
import { administrator, describeRequests, readRequests } from "../examined-requests.ts"
import { workInSandboxes } from "../own-sandbox.ts"
import { type Agent, type AgentChapter, type AgentTask, type GivenTask, writeWords } from "./agent-task.ts"
import { disturb } from "./disturb.ts"
import { expectAllowed, expectEnd, expectLine } from "./judge-agent.ts"

type AgentExam = {
  /** The address of the service. */
  url: string
  agent: Agent
  chapters: readonly AgentChapter[]
  /** How often each task is done; it is missed when it is missed once. */
  times: number
  signal: AbortSignal
}

/** Examines an agent with each task. */
export const runAgentExam = (exam: AgentExam, report: ReportVerdict): Promise<TaskVerdict[]> =>
  examineAll(exam.chapters, (task) => examineTimes(task, exam), exam.signal, report)

async function examineTimes(task: AgentTask, { url, agent, times, signal }: AgentExam): Promise<TaskOutcome> {
  const outcomes: TaskOutcome[] = []
  while (outcomes.length < times && !signal.aborted) outcomes.push(await examine(task, { url, agent, signal }))
  const missed = outcomes.filter(({ outcome }) => outcome === "missed")
  const [first = { outcome: "passed" as const }] = missed
  if (times === 1 || missed.length === 0) return first
  return { ...first, observed: `${missed.length} of ${times} times: ${first.observed}` }
}

/** A sandbox in which an agent works, the name of a copy that has the end which is wanted, and what sends requests to both. */
type AgentBench = { sandbox: SandboxClient; others: PetstoreClient; copy: string; send: Send }

function examine(task: AgentTask, { url, agent, signal }: Pick<AgentExam, "url" | "agent" | "signal">) {
  // The agent sees it in its URL.
  const name = `store-${crypto.randomUUID()}`
  const copy = `${name}-wanted`
  return workInSandboxes({ url, names: [name, copy], signal }, async (send) => {
    const service = createSandboxClient({ url, apiKey: administrator, fetch: send })
    const sandbox = createSandboxClient({ url, name, apiKey: administrator, fetch: send })
    const others = createPetstoreClient({ url: sandbox.url, apiKey: administrator, fetch: send })
    const given = await prepare(task, url, { sandbox, others, copy, send })
    const ended = new AbortController()
    const [line, disturbed] = await Promise.allSettled([
      agent(given).finally(() => ended.abort()),
      disturb(task, sandbox, others, ended.signal),
    ])
    if (disturbed.status === "rejected") throw disturbed.reason
    const requests = await readRequests(sandbox)
    const diff = await service.diffSandbox({ params: { name }, query: { with: copy, limit: 1000 } })
    return giveVerdict(
      async () => {
        if (line.status === "rejected") throw line.reason
        expectAllowed(task, requests)
        expectEnd(diff.value.changes)
        expectLine(task, line.value)
      },
      () => describeRequests(requests),
    )
  })
}

/** The key of an account that is neither the exam's nor that of a person, so that it sees its own orders only. */
const agentKey: KeyDraft = {
  name: "agent",
  accountId: 2,
  scopes: ["read:pets", "write:pets", "read:orders", "write:orders", "manage:webhooks"],
}

async function prepare(task: AgentTask, url: string, bench: AgentBench): Promise<GivenTask> {
  const { sandbox, others, copy, send } = bench
  await sandbox.resetSandbox({ query: { seed: task.seed ?? "classic" } })
  const { value: key } = await others.createKey({ body: agentKey })
  await task.prepare?.(others, createPetstoreClient({ url: sandbox.url, apiKey: key.secret, fetch: send }))
  await sandbox.forkSandbox({ body: { name: copy } })
  const wanted = createSandboxClient({ url, name: copy })
  await task.wanted?.(createPetstoreClient({ url: wanted.url, apiKey: administrator, fetch: send }))
  await sandbox.setDefects({ body: { defects: task.defects ?? [] } })
  await sandbox.setFaults({ body: { rules: rulesOf(task, key.id) } })
  await sandbox.deleteRequests()
  const query = task.toolsets === undefined ? "" : `?toolsets=${task.toolsets}`
  return { words: writeWords(task), url: `${sandbox.url}${mcpPath}${query}`, key: key.secret }
}

/** The rules for requests with the agent's key. */
function rulesOf({ must = "", meanwhile, faults = [] }: AgentTask, key: number): FaultRule[] {
  const held = meanwhile ? [{ operation: must, fault: `fault=${meanwhile.fault}`, times: 1 }] : []
  return [...held, ...faults].map(({ fault, ...match }) => ({ match: { ...match, key }, fault }))
}
