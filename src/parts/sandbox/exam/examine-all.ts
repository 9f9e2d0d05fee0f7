import { allEnded } from "../../../core/kernel/flow/all-ended.ts"
import type { ChapterOf, TaskOutcome, TaskVerdict } from "../../../examiner/verdict.ts"

type Examined = { name: string; expects: string; source?: string; isTimed?: true }

/** Tasks examined at once; each waits more than it works. */
const atOnce = 4

/** Has `report` each verdict as soon as it is known. */
export type ReportVerdict = (verdict: TaskVerdict, done: number) => void

/**
 * Examines all tasks, those that measure time alone after the others. The verdicts are in the order of the tasks. Rejects with the reason
 * of the signal when it is aborted, or with that of a task that rejects. No further task starts then, and those that were started have ended.
 */
export async function examineAll<Task extends Examined>(
  chapters: readonly ChapterOf<Task>[],
  examine: (task: Task) => Promise<TaskOutcome>,
  signal: AbortSignal,
  report: ReportVerdict,
): Promise<TaskVerdict[]> {
  const all = chapters.flatMap(({ name, tasks }) => tasks.map((task) => ({ chapter: name, task })))
  const verdicts: TaskVerdict[] = []
  const indexes = all.map((_, n) => n)
  const waiting = indexes.filter((n) => !all[n]?.task.isTimed)
  let done = 0
  async function examineNext(left: number[]): Promise<void> {
    for (let n = left.shift(); n !== undefined && !signal.aborted; n = left.shift()) {
      const { chapter, task } = all[n] as (typeof all)[number]
      const { name, expects, source } = task
      const outcome = await examine(task).catch((error: unknown) => {
        left.length = 0
        throw error
      })
      const verdict = { chapter, name, expects, ...(source !== undefined && { source }), ...outcome }
      verdicts[n] = verdict
      report(verdict, ++done)
    }
  }
  await allEnded(Array.from({ length: atOnce }, () => examineNext(waiting)))
  await examineNext(indexes.filter((n) => all[n]?.task.isTimed))
  signal.throwIfAborted()
  return verdicts
}
