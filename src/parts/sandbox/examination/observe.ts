import { giveVerdict, type TaskOutcome } from "../../../examiner/verdict.ts"
import { describeRequests } from "../exam/examined-requests.ts"
import { Awaited, type Evidence, type ObservedTask } from "../exam/task.ts"

/** A client that has sent nothing for so long does nothing more, in milliseconds. */
const quietMs = 10_000

export type ObservedOutcome = Omit<TaskOutcome, "outcome"> & { outcome: "open" | "passed" | "missed" | "unclaimed" }

/** Judges a task by what was sent until now. It stays open while a further request could change the verdict. */
export async function observe(
  { judge, isOverWhenQuiet }: ObservedTask,
  evidence: Evidence,
  now: number,
): Promise<ObservedOutcome> {
  const { requests } = evidence
  if (requests.length === 0) return { outcome: "open", observed: "Nothing was sent yet" }
  let mayChange: boolean = isOverWhenQuiet ?? false
  const verdict = await giveVerdict(
    async () => {
      try {
        judge(evidence)
      } catch (error) {
        mayChange = error instanceof Awaited
        throw error
      }
    },
    () => describeRequests(requests),
  )
  const endedAt = Math.max(...requests.map(({ time, durationMs }) => Date.parse(time) + durationMs))
  if (mayChange && now < endedAt + quietMs)
    return { ...verdict, outcome: "open", observed: verdict.observed ?? "Nothing more may be sent" }
  return { ...verdict, outcome: verdict.outcome === "unmeasured" ? "missed" : verdict.outcome }
}
