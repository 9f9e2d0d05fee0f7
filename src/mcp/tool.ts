import type { Tool as ListedTool } from "@modelcontextprotocol/server"
import type { Client } from "../client/client.ts"
import type { ApiContract } from "../domain/api.ts"
import type { sandbox } from "../domain/sandbox/contract.ts"
import type { Endpoint } from "../kernel/endpoint/endpoint.ts"
import type { Toolset } from "./toolsets.ts"

/** The operations of the service as functions; those that only sandboxes have fail elsewhere. */
export type ServiceClient = Client<ApiContract & typeof sandbox>

export type Tool = {
  toolset: Toolset
  /** What a caller needs to be offered it. */
  scope: Endpoint["scope"]
  listed: ListedTool
  /** Resolves with the structured content. Rejects with WrongArguments, or with what the client throws. */
  run(client: ServiceClient, values: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
}

/** The arguments do not fit the tool; each line of the message is a reason. */
export class WrongArguments extends Error {}
