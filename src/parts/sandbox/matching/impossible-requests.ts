import { METHODS } from "node:http"
import { readRulePath } from "../faults/rules.ts"
import { requests } from "../journal/contract.ts"
import { isSecretName } from "../journal/secret-forms.ts"
import { namedSandboxesPath } from "../named/path.ts"
import type { RequestMatcher } from "./contract.ts"

/** The members of a matcher that no recorded request can have, and why; `publicUrl` is that of the sandbox. */
export const impossibleIn = (
  { operation, method, path, header }: RequestMatcher,
  publicUrl: string,
): [keyof RequestMatcher, string][] =>
  [
    ["operation" as const, operation !== undefined && operation in requests ? ofJournal : undefined] as const,
    ["method" as const, method && obstacleInMethod(method)] as const,
    ["path" as const, path && obstacleInPath(path, publicUrl)] as const,
    ["header" as const, header && obstacleInHeader(header)] as const,
  ].flatMap(([member, obstacle]) => (obstacle ? [[member, obstacle]] : []))

const ofJournal = "must not be of the journal, whose own requests are not recorded"

const obstacleInMethod = (method: string): string | undefined =>
  METHODS.includes(method.toUpperCase()) ? undefined : "must be a method of HTTP, such as GET or POST"

function obstacleInPath(path: string, publicUrl: string): string | undefined {
  if (/[{}]/.test(path))
    return "must be the path of a request, such as /pet/1 or /pet/*; requests of any path of an operation are found by operation"
  if (/[?#]/.test(path)) return "must be without a query and a fragment"
  const own = readRulePath(path, publicUrl) ?? path
  if (own.startsWith(namedSandboxesPath)) return "must be a path of this sandbox"
  const journal = requests.listRequests.path
  return own === journal || own.startsWith(`${journal}/`) ? ofJournal : undefined
}

/** A name is a token (RFC 9110 section 5.6.2). */
function obstacleInHeader(header: string): string | undefined {
  const [name = "", ...value] = header.split(":")
  if (!/^[!#$%&'*+.^`|~\w-]+$/.test(name.trim())) return "must begin with the name of a header"
  const text = value.join(":").trim()
  return isSecretName(name) && text !== "" && !/^(\*\*\*|\w+ \d+)$/.test(text)
    ? "must not have a credential, which is not recorded; use key, or the name of the header alone"
    : undefined
}
