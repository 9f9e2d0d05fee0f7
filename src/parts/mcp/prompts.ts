import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { type JourneyInput, type JourneyStep, journeys } from "../descriptions/journeys.ts"
import { itemsName } from "./arguments.ts"

/** The journeys that need neither a password nor faults. */
const offered: ReadonlySet<string> = new Set(["findOrderDeliver", "receiveEvent", "importPets"])
/** The credential is that of the connection. */
const isArgument = (input: JourneyInput): boolean => input !== "apiKey"

const shown = journeys.filter(({ workflowId }) => offered.has(workflowId))

export const prompts: readonly Prompt[] = shown.map(({ workflowId, summary, inputs }) => ({
  name: workflowId,
  description: summary,
  arguments: inputs.filter(isArgument).map((name) => ({ name, required: true })),
}))

/**
 * The journey as a task, each step with its tool and arguments; undefined when there is none with this name. Throws the error of the
 * protocol when an argument is missing.
 */
export function writePrompt(name: string, values: Readonly<Record<string, string>>): GetPromptResult | undefined {
  const journey = shown.find(({ workflowId }) => workflowId === name)
  if (!journey) return undefined
  const missing = journey.inputs.filter((input) => isArgument(input) && !values[input])
  if (missing.length > 0)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `the prompt ${name} needs ${missing.join(", ")}`)
  const steps = journey.steps.map(
    (step, n) => `${n + 1}. ${step.stepId}: ${step.description}\n   ${callOf(step, values)}`,
  )
  const text = [`${journey.summary}. ${journey.description}`, ...steps].join("\n")
  return { description: journey.summary, messages: [{ role: "user", content: { type: "text", text } }] }
}

/** `placeOrder {"petId":"$find.petId"}`: what begins with `$` is an output of an earlier step. */
function callOf(
  { operationId, parameters = [], requestBody }: JourneyStep,
  values: Readonly<Record<string, string>>,
): string {
  const payload = requestBody?.payload
  const body = Array.isArray(payload) ? { [itemsName]: payload } : payload
  const named = parameters.filter((one) => one.in !== "header").map((one) => [one.name, one.value])
  const written = JSON.stringify({ ...Object.fromEntries(named), ...(body as object | undefined) })
  const filled = written.replaceAll(/\$inputs\.(\w+)/g, (_, of: string) => JSON.stringify(values[of]).slice(1, -1))
  return `${operationId} ${filled.replaceAll(/\$steps\.(\w+)\.outputs\./g, "$$$1.")}`
}
