import type { GivenTask, LastLine } from "../../../src/parts/sandbox/exam/agent/agent-task.ts"

export type Item = { id: number; name: string; status: string; tags: { name: string }[] }
/** A result with the members of every tool: a list, an item, and the inventory. */
type Called = { isError: boolean; text: string; items: Item[]; next: string | undefined; available: number } & Item

/** Calls a tool; a lost connection is an error too. */
export type Use = (tool: string, values?: object) => Promise<Called>

/** Does a task by calls of tools; returns its last line. */
export type Script = (use: Use, given: GivenTask) => Promise<LastLine | undefined>

/** A client of the Model Context Protocol without anything between it and the service. */
export const toolsAt =
  ({ url, key }: GivenTask): Use =>
  async (name, values = {}) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: values } })
    try {
      const headers = { "content-type": "application/json", api_key: key }
      const response = await fetch(url, { method: "POST", headers, body })
      const { result } = (await response.json()) as { result: Pick<Result, "isError" | "content"> & Result }
      const { isError = false, content, structuredContent } = result
      const next = structuredContent?.nextCursor
      return { isError, text: content[0].text, next, ...structuredContent } as Called
    } catch (error) {
      return { isError: true, text: String(error) } as Called
    }
  }

type Result = {
  isError?: boolean
  content: [{ text: string }]
  structuredContent?: Record<string, unknown> & { nextCursor?: string }
}
