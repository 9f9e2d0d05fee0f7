// Decision: docs/decisions/examiner.md#a-sandbox-is-the-instrument
import { setTimeout as after } from "node:timers/promises"
import type { Send } from "../../../client/client.ts"
import { createPetstoreClient } from "../../../client/petstore-client.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import { expect, giveVerdict, type TaskOutcome, type TaskVerdict } from "../../../examiner/verdict.ts"
import { createSandboxClient } from "../client/sandbox-client.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { openAdapter, timeoutSeconds } from "./adapter.ts"
import { examineAll, type ReportVerdict } from "./examine-all.ts"
import { administrator, describeRequests, readRequests } from "./examined-requests.ts"
import { workInSandboxes } from "./own-sandbox.ts"
import type { ExaminedCommand } from "./program.ts"
import { type AdapterAction, type Bench, type Chapter, examineSteps, type Task } from "./task.ts"

type Exam = {
  /** The address of the service. */
  url: string
  adapter: ExaminedCommand
  chapters: readonly Chapter[]
  signal: AbortSignal
  /** Has each line that the adapter is given, and each that it writes. */
  show?: (line: string) => void
}

/** Examines a client with each task that it claims. Rejects with the reason of the signal when that is aborted. */
export async function runExam(exam: Exam, report: ReportVerdict): Promise<TaskVerdict[]> {
  const { lacks } = await describeClient(exam)
  const leaves = ({ needs }: Task) => needs !== undefined && lacks.includes(needs)
  const examineClaimed = async (task: Task): Promise<TaskOutcome> =>
    leaves(task) ? { outcome: "unclaimed", observed: `the client has no ${task.needs}` } : examine(task, exam)
  return examineAll(exam.chapters, examineClaimed, exam.signal, report)
}

/** What the adapter says of its client: its options, and the features that it lacks. One that says nothing of it lacks none. */
export async function describeClient(exam: Pick<Exam, "url" | "adapter" | "show"> & Partial<Pick<Exam, "signal">>) {
  const { url, adapter: command, signal, show } = exam
  const adapter = await openAdapter({ ...command, ...(signal && { signal }) }, show)
  const asking = adapter.say({ task: "describe", do: "describe", url, key: "", timeoutSeconds, input: {} })
  const [said] = await Promise.allSettled([asking.finally(adapter.close)])
  const described = said.status === "fulfilled" && "result" in said.value ? Object(said.value.result) : {}
  const { options = "", lacks }: { options?: unknown; lacks?: unknown } = described
  return { options: String(options), lacks: Array.isArray(lacks) ? lacks.map(String) : [] }
}

function examine(task: Task, exam: Exam): Promise<TaskOutcome> {
  const { url, signal } = exam
  const name = `exam-${crypto.randomUUID()}`
  return workInSandboxes({ url, names: [name], signal }, (send) => examineIn(name, send, task, exam))
}

async function examineIn(name: string, send: Send, task: Task, exam: Exam): Promise<TaskOutcome> {
  const { url, adapter: command, signal, show } = exam
  const sandbox = createSandboxClient({ url, name, apiKey: administrator, fetch: send })
  const sent: RecordedRequest[] = []
  const adapter = await openAdapter({ ...command, signal }, show)
  try {
    await sandbox.resetSandbox({ query: { seed: task.seed ?? "classic" } })
    const petstore = createPetstoreClient({ url: sandbox.url, apiKey: administrator, fetch: send })
    const { value: key } = await petstore.createKey({ body: { name: "examined", scopes: ["read:pets", "write:pets"] } })
    const given = { task: task.name, url: `${sandbox.url}${basePath}`, key: key.secret, timeoutSeconds }
    const ask: Bench["ask"] = async (action, input = {}) => {
      await sandbox.deleteRequests()
      const [said] = await Promise.allSettled([adapter.say({ ...given, do: action, input })])
      const requests = isOfReceiver(action) ? [] : await readRequestsSent(sandbox)
      sent.push(...requests)
      if (said.status === "rejected") throw said.reason
      expect(
        requests.length > 0 || isOfReceiver(action),
        `no request was sent, and said was ${JSON.stringify(said.value)}`,
      )
      return { said: said.value, requests }
    }
    const bench = { sandbox, petstore, ask }
    const outcome = await giveVerdict(
      () => ("steps" in task ? examineSteps(task, bench) : task.examine(bench)),
      () => describeRequests(sent),
    )
    return outcome.outcome === "missed" ? (findSlowness(sent) ?? outcome) : outcome
  } finally {
    await adapter.close()
  }
}

/** One that the client has ended before its response is recorded late. */
async function readRequestsSent(sandbox: Bench["sandbox"]): Promise<RecordedRequest[]> {
  const requests = await readRequests(sandbox)
  if (requests.length > 0) return requests
  await after(recordedLateMs)
  return readRequests(sandbox)
}

const recordedLateMs = 400
const isOfReceiver = (action: AdapterAction): boolean => action === "receiveEvents" || action === "receivedEvents"

/** A service that takes longer, although no fault asks for it, spoils what is measured. In milliseconds. */
const slowMs = 1000

function findSlowness(requests: readonly RecordedRequest[]): TaskOutcome | undefined {
  const slow = requests.find(({ durationMs, fault = "" }) => durationMs > slowMs && !fault.includes("wait="))
  if (!slow) return undefined
  const { method, path, durationMs } = slow
  return { outcome: "unmeasured", observed: `the service took ${Math.round(durationMs)} ms for ${method} ${path}` }
}
