import { giveVerdict, type TaskOutcome, type TaskVerdict } from "../verdict.ts"
import type { Check, ConformChapter } from "./check.ts"
import { openSubject, type SubjectOptions } from "./subject.ts"

type Conform = SubjectOptions & {
  chapters: readonly ConformChapter[]
  /** The chapters and checks that the service claims: what it does not claim of them is missed. */
  claims: ReadonlySet<string>
  signal: AbortSignal
}

/** Examines a service with each check, one after the other. `report` has each verdict as soon as it is known. */
export async function runConform(
  conform: Conform,
  report: (verdict: TaskVerdict, done: number) => void,
): Promise<TaskVerdict[]> {
  const verdicts: TaskVerdict[] = []
  for (const { name: chapter, tasks } of conform.chapters)
    for (const check of tasks) {
      conform.signal.throwIfAborted()
      const { name, expects, source } = check
      const given = await judge(check, conform)
      const isClaimed = conform.claims.has(chapter) || conform.claims.has(name)
      const outcome = given.outcome === "unclaimed" && isClaimed ? "missed" : given.outcome
      verdicts.push({ chapter, name, expects, source, ...given, outcome })
      report(verdicts.at(-1) as TaskVerdict, verdicts.length)
    }
  return verdicts
}

async function judge({ examine }: Check, service: SubjectOptions): Promise<TaskOutcome> {
  await using subject = openSubject(service)
  return await giveVerdict(() => examine(subject), subject.sent)
}
