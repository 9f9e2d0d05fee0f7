import { triggerable, triggerEvent } from "../../client/trigger-event.ts"
import { api } from "../../core/domain/api.ts"
import type { PetDraft } from "../../core/domain/pets/contract.ts"
import { readValue, startReading } from "./argument-values.ts"
import { type Tool, WrongArguments } from "./tool.ts"
import { furtherToolset } from "./toolsets.ts"

const inputSchema = {
  type: "object" as const,
  properties: {
    event: { type: "string", enum: [...triggerable] },
    name: { type: "string", description: "The pet's name; Triggered by default" },
  },
  required: ["event"],
}

/** The tool that causes an event, so that a webhook or the feed has one to show. */
export const triggerTool: Tool = {
  toolset: furtherToolset,
  scope: "admin",
  bodyBytesMax: 64 * 1024,
  argumentAt: (pointer) => pointer.slice(1).replaceAll("/", "."),
  listed: {
    name: "trigger",
    description: "Trigger an event by performing its operations with a new pet",
    inputSchema,
    outputSchema: {
      type: "object",
      properties: { done: { type: "array", items: { type: "string" } } },
      required: ["done"],
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  },
  async run(clientOf, values) {
    const reading = startReading()
    const { event, ...fields } = readValue(inputSchema, values, reading) as typeof values
    if (reading.refusals.length > 0) throw new WrongArguments(reading.refusals.join("\n"))
    if (typeof event !== "string" || !triggerable.includes(event))
      throw new WrongArguments(`event must be one of ${triggerable.join(", ")}`)
    return { done: await Array.fromAsync(triggerEvent(event, fields as Partial<PetDraft>, clientOf(api))) }
  },
}
