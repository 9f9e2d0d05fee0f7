// Decision: docs/decisions/examiner.md#the-exam-without-an-adapter-is-judged-when-it-is-read
import type { Context } from "../../../core/domain/context.ts"
import { type Pet, PetStatus } from "../../../core/domain/pets/contract.ts"
import { durationMs } from "../../../core/kernel/duration.ts"
import { fromJson } from "../../../core/kernel/json/json.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import { type ObservedTask, petsMax } from "../exam/task.ts"
import { parseRule } from "../faults/parse-rule.ts"
import type { FaultTarget } from "../faults/targets.ts"
import type { RecordedRequest } from "../journal/contract.ts"
import { showEntry } from "../journal/recorded-request.ts"
import type { ParsedRule, SandboxParts } from "../model.ts"
import type { Seed } from "../seeds/contract.ts"
import { stagesOf } from "./instructions.ts"
import { type ObservedOutcome, observe } from "./observe.ts"

/** More requests than a client that passes any task sends. */
const requestsMax = 200

type Current = { task: ObservedTask; step: number; after: number }

/** The run of the exam in a sandbox: the task that was started last, and the verdicts of all. */
export type ExamRun = {
  current(): Pick<Current, "task" | "step"> | undefined
  /** The verdict of a task; undefined when it is not known and the task was not started last. */
  verdict(task: ObservedTask): ObservedOutcome | undefined
  /** Judges the task that was started last by what was sent until now. */
  judge(context: Pick<Context, "store" | "clock">): Promise<void>
  /** Prepares a step, the first with a reset; its rules replace those before. `publicUrl` is that of the sandbox. */
  start(task: ObservedTask, step: number, publicUrl: string): Promise<void>
  /** Ends the task that was started last, of which a reset forgets the requests. */
  end(): void
}

export function createExamRun(
  { journal, faults, time }: Pick<SandboxParts, "journal" | "faults" | "time">,
  reset: (seed: Seed) => Promise<void>,
  targets: ReadonlyMap<string, FaultTarget>,
): ExamRun {
  const verdicts = new Map<string, ObservedOutcome>()
  let current: Current | undefined

  /** The requests of the client: not to the sandbox itself, nor messages to webhooks. */
  const requestsOf = ({ after }: Current): RecordedRequest[] =>
    journal
      .after(after, requestsMax)
      .toSorted((a, b) => a.id - b.id)
      .flatMap((entry) => showEntry(entry) ?? [])
      .filter(({ path, webhook }) => webhook === undefined && !path.startsWith(`${basePath}/sandbox`))

  return {
    current: () => current,
    verdict(task) {
      const verdict = verdicts.get(task.name)
      return verdict?.outcome === "open" && current?.task !== task ? undefined : verdict
    },
    async judge({ store, clock }) {
      const one = current
      if (!one) return
      const filter = { statuses: PetStatus.enum, sort: "id" } as const
      const { json } = await store.pets.list(filter, { limit: petsMax, cursor: undefined })
      const verdict = await observe(one.task, { requests: requestsOf(one), pets: fromJson<Pet[]>(json) }, clock.now())
      // Another one may have been started meanwhile, with a reset.
      if (current === one) verdicts.set(one.task.name, verdict)
    },
    async start(task, step, publicUrl) {
      const { faults: rules = [], advance } = stagesOf(task)[step - 1]?.[0]?.before ?? {}
      if (step === 1) await reset(task.seed ?? "classic")
      faults.replace(rules.map((rule, n) => parseRule(rule, `/${n}`, targets, publicUrl) as ParsedRule))
      current = { task, step, after: journal.positionAfter().position }
      verdicts.delete(task.name)
      if (advance !== undefined) await time?.advance((now) => now + durationMs(advance))
    },
    end() {
      current = undefined
    },
  }
}
