import { giveVerdict, type TaskVerdict } from "../verdict.ts"
import type { ConformChapter } from "./check.ts"
import { createSubject, type SubjectOptions } from "./subject.ts"

type Conform = SubjectOptions & { chapters: readonly ConformChapter[]; signal: AbortSignal }

/** Examines a service with each check, one after the other. `report` has each verdict as soon as it is known. */
export async function runConform(
  conform: Conform,
  report: (verdict: TaskVerdict, done: number) => void,
): Promise<TaskVerdict[]> {
  const verdicts: TaskVerdict[] = []
  for (const { name: chapter, tasks } of conform.chapters)
    for (const { name, expects, examine } of tasks) {
      conform.signal.throwIfAborted()
      const subject = createSubject(conform)
      verdicts.push({ chapter, name, expects, ...(await giveVerdict(() => examine(subject), subject.sent)) })
      report(verdicts.at(-1) as TaskVerdict, verdicts.length)
    }
  return verdicts
}
