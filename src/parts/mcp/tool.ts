import type { Tool as ListedTool } from "@modelcontextprotocol/server"
import type { Client } from "../../client/client.ts"
import type { Endpoint } from "../../core/kernel/endpoint/endpoint.ts"
import type { Toolset } from "./toolsets.ts"

/** Makes a client of some operations of the service, which may be more than those of the API. */
export type ClientOf = <Contract extends Readonly<Record<string, Endpoint>>>(contract: Contract) => Client<Contract>

export type Tool = {
  toolset: Toolset
  /** What a caller needs to be offered it. */
  scope: Endpoint["scope"]
  listed: ListedTool
  /** Maximum size of the body of its operation. */
  bodyBytesMax: number
  /** The argument, with members and indexes, to which a pointer into the body of its operation leads. */
  argumentAt(pointer: string): string
  /** Resolves with the structured content. Rejects with WrongArguments, or with what the client throws. */
  run(clientOf: ClientOf, values: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>
}

/** The arguments do not fit the tool; each line of the message is a reason. */
export class WrongArguments extends Error {}
