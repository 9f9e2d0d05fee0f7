import { imagesPath } from "../../domain/images/contract.ts"
import { sandboxName } from "../../domain/sandbox/contract.ts"
import { basePath, namedSandboxesPath, v2Path } from "../../kernel/network/path.ts"
import { type Problem, problem } from "../../kernel/problem.ts"
import type { Exchange } from "../../server/pipeline/exchange.ts"

const header = "petstore-sandbox"
/** The paths that a sandbox has of its own; the header has no effect elsewhere. */
const own = [basePath, v2Path, imagesPath].map((path) => `${path}/`)
const isOwn = (path: string): boolean => own.some((start) => path.startsWith(start))
const form = new RegExp(sandboxName.pattern)

/** Reads the sandbox's name from the header or the path, and removes it from the path. */
export function nameIn(exchange: Exchange): string | undefined {
  const { path } = exchange
  const named = exchange.request.headers[header]
  if (path.startsWith(namedSandboxesPath)) {
    const end = path.indexOf("/", namedSandboxesPath.length)
    if (end < 0) return undefined
    exchange.sandbox = requireWellFormed(path.slice(namedSandboxesPath.length, end))
    exchange.path = path.slice(end)
    if (named !== undefined && named !== exchange.sandbox)
      throw invalid(`is ${JSON.stringify(named)}, and the path names ${exchange.sandbox}`)
  } else if (named !== undefined && isOwn(path)) exchange.sandbox = requireWellFormed(String(named))
  return exchange.sandbox
}

/** Refuses a request that names a sandbox where there are none: it was not meant for the shared data. */
export function refuseName({ path, request }: Exchange, reason: string): undefined {
  if (request.headers[header] !== undefined && isOwn(path)) throw invalid(`names a sandbox, and ${reason}`)
}

function requireWellFormed(name: string): string {
  if (form.test(name)) return name
  throw invalid(sandboxName.told)
}

const invalid = (detail: string): Problem =>
  problem("invalid-parameter", [{ parameter: "Petstore-Sandbox", code: "wrong-form", detail }])
