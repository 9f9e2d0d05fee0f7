import { triggerable, triggerEvent } from "../client/trigger-event.ts"
import type { PetDraft } from "../domain/pets/contract.ts"
import { type Tool, WrongArguments } from "./tool.ts"

/** The tool that causes an event, so that a webhook or the feed has one to show. */
export const triggerTool: Tool = {
  toolset: "sandbox",
  scope: "admin",
  listed: {
    name: "trigger",
    description: "Trigger an event by performing its operations with a new pet",
    inputSchema: {
      type: "object",
      properties: {
        event: { type: "string", enum: [...triggerable] },
        name: { type: "string", description: "The pet's name; Triggered by default" },
      },
      required: ["event"],
    },
    outputSchema: {
      type: "object",
      properties: { done: { type: "array", items: { type: "string" } } },
      required: ["done"],
    },
    annotations: { destructiveHint: false },
  },
  async run(client, { event, ...fields }) {
    if (typeof event !== "string" || !triggerable.includes(event))
      throw new WrongArguments(`event must be one of ${triggerable.join(", ")}`)
    return { done: await Array.fromAsync(triggerEvent(event, fields as Partial<PetDraft>, client)) }
  },
}
