import type { CallOptions, ClientResponse } from "../../client/client.ts"
import { allPages } from "../../client/pages.ts"
import { type Endpoint, takesJson } from "../../core/kernel/endpoint/endpoint.ts"
import { pathParameters } from "../../core/kernel/network/path.ts"
import type { JsonSchema } from "../../core/kernel/schema/type.ts"
import { type Command, type CommandInput, isOn, type Terminal, UsageError } from "../command/command.ts"
import { readSecret } from "../command/read-secret.ts"
import { columnsOf, listingFlags, readListing } from "../output/listing.ts"
import { show, showPages } from "../output/show.ts"
import { readBodyFlag, readFileFlag } from "./body.ts"
import { collectFields, type Field, kebab, requestFields } from "./endpoint-flags.ts"

/** The command of an endpoint: path parameters are arguments, all other input is a flag. */
export function endpointCommand(operationId: string, endpoint: Endpoint): Command {
  const fields = requestFields(endpoint)
  const columns = columnsOf(endpoint)
  return {
    name: endpoint.command,
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    arguments: pathParameters(endpoint.path).map((name) => readArgument(endpoint, name)),
    flags: [
      ...fields.map(({ flag }) => flag),
      ...(takesJson(endpoint) ? [bodyFlag] : []),
      ...(endpoint.upload ? [fileFlag] : []),
      ...(endpoint.paged ? [all] : []),
      ...(columns.length > 0 ? listingFlags(columns) : []),
    ],

    async run(input, world) {
      if (isOn(input, all.name) && isOn(input, "count"))
        throw new UsageError("--count cannot be combined with --all, which shows all there are")
      const listing = readListing(input, columns, world)
      const call = world.service.clientOf({ [operationId]: endpoint })[operationId] as Call
      const request = {
        params: Object.fromEntries(
          pathParameters(endpoint.path).map((name) => [name, readSegment(input, kebab(name))]),
        ),
        query: collectFields(fields, input, "query"),
        ...(endpoint.upload && { upload: new Blob([await readFileFlag(input, world.terminal)]) }),
        ...(takesJson(endpoint) && {
          body: await readBodyFlag(
            endpoint,
            fields.filter(({ location }) => location === "body").map(({ flag }) => flag),
            { ...collectFields(fields, input, "body"), ...(await askMissing(fields, input, world.terminal)) },
            input,
            world.terminal,
          ),
        }),
      }
      const options = { headers: collectFields(fields, input, "header") as Record<string, string> }
      if (isOn(input, all.name)) await showPages(allPages(call as PagedCall, request, options), world, listing)
      else await show(await call(request, options), world, listing)
      return 0
    },
  }
}

type Call = (request?: object, options?: CallOptions) => Promise<ClientResponse<unknown>>
type PagedCall = (request?: object, options?: CallOptions) => Promise<ClientResponse<unknown[]>>

const bodyFlag = {
  name: "body",
  value: "JSON|@FILE|-",
  meaning: "The body: JSON, a file, or standard input. Other flags override its fields",
}
const fileFlag = { name: "file", value: "PATH|-", meaning: "The file to upload, or standard input" }
const all = { name: "all", meaning: "Fetch all pages; --limit is the page size" }

function readArgument({ params }: Endpoint, name: string): Command["arguments"][number] {
  const { description = "", enum: values } = (params?.properties[name] ?? {}) as JsonSchema
  return { name: kebab(name), meaning: description, ...(values && { choices: values.map(String) }) }
}

/** An argument as a path segment. Empty segments and dots would change the path (RFC 3986 section 5.2.4). */
function readSegment(input: CommandInput, name: string): string {
  const text = input.arguments[name] as string
  if (/^\.{0,2}$/.test(text)) throw new UsageError(`<${name}> cannot be ${JSON.stringify(text)}`)
  return text
}

/**
 * Reads required secrets of the body that are missing on the command line: each at a prompt, or a single one from standard input
 * when that is not a terminal.
 */
async function askMissing(fields: readonly Field[], input: CommandInput, terminal: Terminal) {
  const missing = fields.filter(
    ({ flag, location }) => location === "body" && flag.secret && flag.required && !(flag.name in input.flags),
  )
  const secrets: Record<string, string> = {}
  if (bodyFlag.name in input.flags || (!terminal.askSecret && missing.length > 1)) return secrets
  for (const { name } of missing) secrets[name] = await readSecret(terminal, `${name}: `)
  return secrets
}
