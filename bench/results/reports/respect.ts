// The log of Redocly Respect as JUnit XML: node respect.ts LOG
import { readFileSync } from "node:fs"
import { toJunit } from "./junit.ts"

type Check = { name: string; status: "success" | "warn" | "error" }
type Step = { stepId: string; checks: Check[]; response: { statusCode: number } }
type Workflow = { workflowId: string; executedSteps: (Step | Workflow)[] }
type Log = { files: Record<string, { executedWorkflows: Workflow[] }> }

const { files }: Log = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
const workflows = Object.values(files).flatMap(({ executedWorkflows }) => executedWorkflows)
const failures = workflows
  .flatMap(stepsOf)
  .flatMap(({ name, checks, response }) =>
    checks
      .filter(({ status }) => status !== "success")
      .map((check) => ({ name, check: check.name, status: response.statusCode })),
  )
process.stdout.write(toJunit(failures))

/** The steps of a workflow, and of those that it calls; of one that was repeated, the last attempt. */
function stepsOf({ workflowId, executedSteps }: Workflow): (Step & { name: string })[] {
  return executedSteps.flatMap((step, n) => {
    if ("executedSteps" in step) return stepsOf(step)
    const isRepeated = executedSteps.slice(n + 1).some((later) => "stepId" in later && later.stepId === step.stepId)
    return isRepeated ? [] : [{ ...step, name: `${workflowId} ${step.stepId}` }]
  })
}
