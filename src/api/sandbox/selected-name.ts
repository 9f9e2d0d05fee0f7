import { imagesPath } from "../../domain/images/contract.ts"
import type { RequestJournal } from "../../domain/sandbox/model.ts"
import { sandboxName } from "../../domain/sandbox/start/contract.ts"
import {
  basePath,
  namedSandboxesPath,
  oauthPath,
  sandboxPath,
  v2Path,
  wellKnownPath,
} from "../../kernel/network/path.ts"
import { type Problem, problem } from "../../kernel/problem.ts"
import type { Exchange, Mount } from "../../server/exchange/exchange.ts"
import { recorder } from "./record-request.ts"

const header = "petstore-sandbox"
const programPaths = [basePath, v2Path, imagesPath, oauthPath].map((path) => `${path}/`)

/** Whether programs request this path; the header has no effect elsewhere. */
export const isForPrograms = (path: string): boolean => programPaths.some((start) => path.startsWith(start))
const form = new RegExp(sandboxName.pattern)
/** What comes before the name in a path: in that of metadata, their own name (RFC 8414 section 3.1). */
const beforeName = new RegExp(`^(${wellKnownPath}/[\\w-]+)?${namedSandboxesPath}`)

/** Reads the sandbox's name from the header or the path, and removes it from the path. */
export function nameIn(exchange: Exchange): string | undefined {
  const name = readName(exchange)
  if (name !== undefined) exchange.mount = mountOf(name)
  return name
}

/** A named sandbox as a part of the service, which records its requests in its journal. */
export const mountOf = (name: string, journal?: RequestJournal, publicUrl = (): string => ""): Mount => ({
  prefix: sandboxPath(name),
  logged: `,"sandbox":"${name}"`,
  ...recorder(journal, publicUrl),
})

function readName(exchange: Exchange): string | undefined {
  const { path } = exchange
  const named = exchange.request.headers[header]
  const [before, metadata = ""] = beforeName.exec(path) ?? []
  if (before !== undefined) {
    const end = path.indexOf("/", before.length)
    if (end < 0) return undefined
    const name = requireWellFormed(path.slice(before.length, end))
    exchange.path = metadata + path.slice(end)
    if (named === undefined || named === name) return name
    exchange.mount = mountOf(name)
    throw invalid(`is ${JSON.stringify(named)}, and the path names ${name}`)
  }
  return named !== undefined && isForPrograms(path) ? requireWellFormed(String(named)) : undefined
}

/** Refuses a request that names a sandbox where there are none: it was not meant for the shared data. */
export function refuseName({ path, request }: Exchange, reason: string): undefined {
  if (request.headers[header] !== undefined && isForPrograms(path)) throw invalid(`names a sandbox, and ${reason}`)
}

function requireWellFormed(name: string): string {
  if (form.test(name)) return name
  throw invalid(sandboxName.requirement)
}

const invalid = (detail: string): Problem =>
  problem("invalid-parameter", [{ parameter: "Petstore-Sandbox", code: "wrong-form", detail }])
