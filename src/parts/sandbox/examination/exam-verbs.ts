import type { VerbOf } from "../../../core/domain/context.ts"
import { findNearest } from "../../../core/kernel/did-you-mean.ts"
import { basePath } from "../../../core/kernel/network/path.ts"
import type { sandbox } from "../contract.ts"
import { chapters } from "../exam/chapters.ts"
import type { Task } from "../exam/task.ts"
import { ofNamed } from "../named/bounds.ts"
import { sandboxKeys } from "../seeds/keys.ts"
import type { Exam } from "./contract.ts"
import type { ExamRun } from "./exam-run.ts"
import { instructionsOf, stagesOf } from "./instructions.ts"

const tasks = chapters.flatMap((chapter) => chapter.tasks.map((task) => ({ chapter: chapter.name, task })))
const observed = new Map(tasks.flatMap(({ task }) => ("steps" in task ? [[task.name, task] as const] : [])))

/** `isNamed` is false for the service's own sandbox, which no task resets. */
export function examVerbs(run: ExamRun, isNamed: boolean) {
  const getExam: VerbOf<typeof sandbox.getExam> = async (ctx) => {
    await run.judge(ctx)
    return show(ctx.publicUrl())
  }

  const startExamTask: VerbOf<typeof sandbox.startExamTask> = async (ctx, { params, query: { step } }) => {
    if (!isNamed) return ctx.refuse("named-sandbox-required", ofNamed)
    const task = observed.get(params.task) ?? ctx.refuse("not-found", unknownTask(params.task))
    if (step > 1 && (run.current()?.task !== task || stagesOf(task).length < step))
      return ctx.refuse("not-found", `There is no step ${step} of ${task.name} that could start now`)
    await run.judge(ctx)
    await run.start(task, step, ctx.publicUrl())
    return show(ctx.publicUrl())
  }

  function show(publicUrl: string): Exam {
    const current = run.current()
    return {
      url: publicUrl + basePath,
      key: sandboxKeys[0].secret,
      ...(current && { task: current.task.name, step: current.step }),
      tasks: tasks.map(({ chapter, task }) => {
        const { name, expects, source } = task
        return { chapter, name, expects, source, ...showOutcome(task, publicUrl) }
      }),
    }
  }

  const showOutcome = (task: Task, url: string): Pick<Exam["tasks"][number], "outcome" | "steps"> =>
    "steps" in task
      ? { steps: instructionsOf(task, url), ...(run.verdict(task) ?? { outcome: "open" }) }
      : { outcome: "unjudged" }

  return { getExam, startExamTask }
}

function unknownTask(name: string): string {
  const near = findNearest(name, observed.keys())
  return `No task that is judged without an adapter has this name${near === undefined ? "" : `; did you mean ${near}?`}`
}
