import { imagesPath } from "../../domain/images/contract.ts"
import type { RequestJournal } from "../../domain/sandbox/model.ts"
import { sandboxName } from "../../domain/sandbox/start/contract.ts"
import { basePath, namedSandboxesPath, sandboxPath, v2Path } from "../../kernel/network/path.ts"
import { type Problem, problem } from "../../kernel/problem.ts"
import type { Exchange, Mount } from "../../server/exchange/exchange.ts"
import { recorder } from "./record-request.ts"

const header = "petstore-sandbox"
/** The paths that a sandbox has of its own; the header has no effect elsewhere. */
const own = [basePath, v2Path, imagesPath].map((path) => `${path}/`)
const isOwn = (path: string): boolean => own.some((start) => path.startsWith(start))
const form = new RegExp(sandboxName.pattern)

/** Reads the sandbox's name from the header or the path, and removes it from the path. */
export function nameIn(exchange: Exchange): string | undefined {
  const name = readName(exchange)
  if (name !== undefined) exchange.mount = mountOf(name, undefined)
  return name
}

/** A named sandbox as a part of the service, which records its requests in its journal. */
export const mountOf = (name: string, journal: RequestJournal | undefined): Mount => ({
  prefix: sandboxPath(name),
  logged: `,"sandbox":"${name}"`,
  observe: recorder(journal),
})

function readName(exchange: Exchange): string | undefined {
  const { path } = exchange
  const named = exchange.request.headers[header]
  if (path.startsWith(namedSandboxesPath)) {
    const end = path.indexOf("/", namedSandboxesPath.length)
    if (end < 0) return undefined
    const name = requireWellFormed(path.slice(namedSandboxesPath.length, end))
    exchange.path = path.slice(end)
    if (named === undefined || named === name) return name
    exchange.mount = mountOf(name, undefined)
    throw invalid(`is ${JSON.stringify(named)}, and the path names ${name}`)
  }
  return named !== undefined && isOwn(path) ? requireWellFormed(String(named)) : undefined
}

/** Refuses a request that names a sandbox where there are none: it was not meant for the shared data. */
export function refuseName({ path, request }: Exchange, reason: string): undefined {
  if (request.headers[header] !== undefined && isOwn(path)) throw invalid(`names a sandbox, and ${reason}`)
}

function requireWellFormed(name: string): string {
  if (form.test(name)) return name
  throw invalid(sandboxName.requirement)
}

const invalid = (detail: string): Problem =>
  problem("invalid-parameter", [{ parameter: "Petstore-Sandbox", code: "wrong-form", detail }])
