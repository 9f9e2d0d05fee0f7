// Decision: docs/decisions/examiner.md#a-sandbox-is-the-instrument
import { setTimeout as after } from "node:timers/promises"
import { createPetstoreClient } from "../../../client/petstore-client.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import { giveVerdict, type TaskOutcome, type TaskVerdict } from "../../../examiner/verdict.ts"
import { createSandboxClient } from "../client/sandbox-client.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { type AdapterCommand, openAdapter, timeoutSeconds } from "./adapter.ts"
import { type Bench, type Chapter, examineSteps, type Task } from "./task.ts"

type Exam = {
  /** The address of the service. */
  url: string
  adapter: AdapterCommand
  chapters: readonly Chapter[]
  signal: AbortSignal
}

/** Tasks examined at once; each waits more than it works. */
const atOnce = 4
const administrator = "special-key"

/** Examines a client with each task. The verdicts are in the order of the tasks; `report` has each as soon as it is known. */
export async function runExam(
  exam: Exam,
  report: (verdict: TaskVerdict, done: number) => void,
): Promise<TaskVerdict[]> {
  const all = exam.chapters.flatMap(({ name, tasks }) => tasks.map((task) => ({ chapter: name, task })))
  const verdicts: TaskVerdict[] = []
  const indexes = all.map((_, n) => n)
  const waiting = indexes.filter((n) => !all[n]?.task.isTimed)
  let done = 0
  async function examineNext(left: number[]): Promise<void> {
    for (let n = left.shift(); n !== undefined && !exam.signal.aborted; n = left.shift()) {
      const { chapter, task } = all[n] as (typeof all)[number]
      const verdict = { chapter, name: task.name, expects: task.expects, ...(await examine(task, exam)) }
      verdicts[n] = verdict
      report(verdict, ++done)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, () => examineNext(waiting)))
  await examineNext(indexes.filter((n) => all[n]?.task.isTimed))
  exam.signal.throwIfAborted()
  return verdicts
}

async function examine(task: Task, { url, adapter: command }: Exam): Promise<TaskOutcome> {
  const name = `exam-${crypto.randomUUID()}`
  const sandbox = createSandboxClient({ url, name, apiKey: administrator })
  let requests: readonly RecordedRequest[] = []
  const adapter = await openAdapter(command)
  try {
    await sandbox.resetSandbox({ query: { seed: task.seed ?? "classic" } })
    const petstore = createPetstoreClient({ url: sandbox.url, apiKey: administrator })
    const { value: key } = await petstore.createKey({ body: { name: "examined", scopes: ["read:pets", "write:pets"] } })
    const given = { task: task.name, url: `${sandbox.url}${basePath}`, key: key.secret, timeoutSeconds }
    const ask: Bench["ask"] = async (action, input = {}) => {
      await sandbox.deleteRequests()
      const [said] = await Promise.allSettled([adapter.say({ ...given, do: action, input })])
      requests = await readRequests(sandbox)
      if (said.status === "rejected") throw said.reason
      return { said: said.value, requests }
    }
    const bench = { sandbox, petstore, ask }
    return await giveVerdict(
      () => ("steps" in task ? examineSteps(task, bench) : task.examine(bench)),
      () => describe(requests),
    )
  } finally {
    await adapter.close()
    const service = createSandboxClient({ url, apiKey: administrator })
    await service.deleteSandbox({ params: { name } }).catch(() => undefined)
  }
}

/** A request is recorded when its response has ended, which may be after the client has read it. */
const recordedMs = 100

/** The requests of the examined client: the administrator's key, `key 1`, is that of the exam. */
async function readRequests(sandbox: Bench["sandbox"]): Promise<RecordedRequest[]> {
  await after(recordedMs)
  return (await sandbox.requests()).filter(({ caller }) => caller !== "key 1")
}

const shownMax = 10

/** The requests with the time since the first, and what distinguishes them. */
function describe(requests: readonly RecordedRequest[]): string[] {
  const start = Date.parse(requests[0]?.time ?? "")
  const lines = requests.slice(0, shownMax).map(({ time, method, path, status = "no response", fault, request }) => {
    const told = ["idempotency-key", "if-match"].flatMap((name) =>
      request.headers[name] === undefined ? [] : [`${name}: ${request.headers[name]}`],
    )
    return [`+${Date.parse(time) - start} ms ${method} ${path} ${status}`, fault ?? [], told].flat().join(", ")
  })
  return requests.length > shownMax ? [...lines, `and ${requests.length - shownMax} more`] : lines
}
