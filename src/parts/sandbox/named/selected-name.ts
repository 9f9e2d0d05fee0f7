import { wellKnownPath } from "../../../core/kernel/network/path.ts"
import { type Problem, problem } from "../../../core/kernel/problem.ts"
import type { Exchange, Mount, Observer } from "../../../core/server/exchange/exchange.ts"
import { sandboxName } from "../seeds/contract.ts"
import { namedSandboxesPath, sandboxPath } from "./path.ts"

const header = "petstore-sandbox"

/** Whether a path is one of a page, on which the header has no effect. */
export type IsPage = (path: string) => boolean

const form = new RegExp(sandboxName.pattern)
/** What comes before the name in a path: in that of metadata, their own name (RFC 8414 section 3.1). */
const beforeName = new RegExp(`^(${wellKnownPath}/[\\w-]+)?${namedSandboxesPath}`)

/** Reads the sandbox's name from the header or the path, and removes it from the path. */
export function nameIn(exchange: Exchange, isPage: IsPage): string | undefined {
  const name = readName(exchange, isPage)
  if (name !== undefined) exchange.mount = mountOf(name)
  return name
}

/** A named sandbox as a part of the service, whose requests are observed. */
export const mountOf = (name: string, observer: Observer = {}): Mount => ({
  prefix: sandboxPath(name),
  logged: `,"sandbox":"${name}"`,
  observer,
})

function readName(exchange: Exchange, isPage: IsPage): string | undefined {
  const { path } = exchange
  const named = exchange.request.headers[header]
  const [before, metadata = ""] = beforeName.exec(path) ?? []
  if (before !== undefined) {
    const end = path.indexOf("/", before.length)
    if (end < 0) return undefined
    const name = requireSandboxName(path.slice(before.length, end))
    exchange.path = metadata + path.slice(end)
    if (named === undefined || named === name) return name
    exchange.mount = mountOf(name)
    throw invalid(`is ${JSON.stringify(named)}, and the path names ${name}`)
  }
  return named !== undefined && !isPage(path) ? requireSandboxName(String(named)) : undefined
}

/** Refuses a request that names a sandbox where there are none: it was not meant for the shared data. */
export function refuseName({ path, request }: Exchange, isPage: IsPage, reason: string): undefined {
  if (request.headers[header] !== undefined && !isPage(path)) throw invalid(`names a sandbox, and ${reason}`)
}

/** Throws the 400 for a text that is no name of a sandbox. */
export function requireSandboxName(name: string): string {
  if (form.test(name)) return name
  throw invalid(sandboxName.requirement)
}

const invalid = (detail: string): Problem =>
  problem("invalid-parameter", [{ parameter: "Petstore-Sandbox", code: "wrong-form", detail }])
