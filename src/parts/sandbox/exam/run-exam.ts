// Decision: docs/decisions/examiner.md#a-sandbox-is-the-instrument
import { createPetstoreClient } from "../../../client/petstore-client.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import { giveVerdict, type TaskOutcome, type TaskVerdict } from "../../../examiner/verdict.ts"
import { createSandboxClient } from "../client/sandbox-client.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { openAdapter, timeoutSeconds } from "./adapter.ts"
import { examineAll, type ReportVerdict } from "./examine-all.ts"
import { administrator, describeRequests, readRequests } from "./examined-requests.ts"
import type { ExaminedCommand } from "./program.ts"
import { type Bench, type Chapter, examineSteps, type Task } from "./task.ts"

type Exam = {
  /** The address of the service. */
  url: string
  adapter: ExaminedCommand
  chapters: readonly Chapter[]
  signal: AbortSignal
}

/** Examines a client with each task. */
export const runExam = (exam: Exam, report: ReportVerdict): Promise<TaskVerdict[]> =>
  examineAll(exam.chapters, (task) => examine(task, exam), exam.signal, report)

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
      () => describeRequests(requests),
    )
  } finally {
    await adapter.close()
    const service = createSandboxClient({ url, apiKey: administrator })
    await service.deleteSandbox({ params: { name } }).catch(() => undefined)
  }
}
