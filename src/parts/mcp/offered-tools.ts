import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server"
import { explainCall } from "./failure.ts"
import { type AddToolset, whyNotOffered } from "./not-offered.ts"
import type { ClientOf } from "./tool.ts"
import { type Choice, chooseTools, isOffered, toolsByName } from "./tools.ts"

/** The tools of a caller. */
export type OfferedTools = {
  list(): ListToolsResult
  /** Throws the error of the protocol for a name that no tool has. */
  call(params: { name: string; arguments?: Readonly<Record<string, unknown>> | undefined }): Promise<CallToolResult>
}

/**
 * The tools of a choice, which run operations of a service, each with the client's credential. `explain` returns what else went wrong
 * with a call, as a text, and rethrows what it cannot explain.
 */
export const offerTools = (
  clientOf: ClientOf,
  choice: Choice,
  addToolset: AddToolset,
  explain: (error: unknown) => string,
): OfferedTools => ({
  list: () => ({ tools: chooseTools(choice).map(({ listed }) => listed) }),
  async call({ name, arguments: values = {} }) {
    const tool = toolsByName(choice.further).get(name)
    if (!tool || !isOffered(tool, choice)) {
      const reason = whyNotOffered(name, choice, addToolset)
      return tool ? failed(reason) : refuseAbsent(reason)
    }
    try {
      const structuredContent = await tool.run(clientOf, values)
      return { content: [text(JSON.stringify(structuredContent))], structuredContent }
    } catch (error) {
      return failed(explainCall(error, tool) ?? explain(error))
    }
  },
})

const text = (text: string) => ({ type: "text" as const, text })
const failed = (why: string) => ({ content: [text(why)], isError: true })

/** Throws the error of the protocol for what does not exist. */
export function refuseAbsent(why: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, why)
}
