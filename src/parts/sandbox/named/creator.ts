import { refuseCredential } from "../../../core/api/admission/admission.ts"
import { resourceMetadataUrl } from "../../../core/api/authentication/resource-metadata.ts"
import { basePath, mcpPath } from "../../../core/kernel/network/path.ts"
import { Problem } from "../../../core/kernel/problem.ts"
import type { Exchange } from "../../../core/server/exchange/exchange.ts"
import type { HttpContext } from "../../../core/server/http-context.ts"
import { refuseForeignPage } from "../../../core/server/pipeline/foreign-pages.ts"
import { sandbox } from "../contract.ts"

/**
 * Throws unless the request may create the sandbox it names. A request without one of these keys creates none; otherwise
 * anonymous clients could use up all sandboxes. Without a list of keys, requests need no credential.
 */
export async function requireCreator(
  exchange: Exchange,
  name: string,
  keys: readonly { secret: string }[] | undefined,
  { limitAddress, publicUrl }: Pick<HttpContext, "limitAddress" | "publicUrl">,
): Promise<void> {
  const { api_key: key, authorization } = exchange.request.headers
  const isKnown = authorization === undefined && typeof key === "string" && keys?.some(({ secret }) => secret === key)
  if (keys && !isKnown) {
    const metadataUrl = resourceMetadataUrl(publicUrl(), exchange.path.startsWith(mcpPath) ? mcpPath : basePath)
    await refuseCredential(exchange, absent(name), limitAddress, metadataUrl)
  }
  // The keys are public, so pages of any site have one.
  refuseForeignPage(exchange, publicUrl())
  await limitAddress("anonymous", exchange.address)
  if (onlyLooks(exchange)) throw new Problem("sandbox-not-found", nothingThere(name))
}

/** Whether a request reads a sandbox itself, not its data, or copies it: of a new one there is nothing to read or to copy. */
const onlyLooks = ({ method, path }: Exchange): boolean =>
  (reading.has(method) && path.startsWith(`${basePath}/sandbox/`)) ||
  path.replace(/\/$/, "") === forks ||
  `${path}/`.startsWith(`${basePath}/sandboxes/`)

const reading: ReadonlySet<string> = new Set(["GET", "HEAD"])
const forks = basePath + sandbox.forkSandbox.path

const nothingThere = (name: string): string =>
  `There is no sandbox ${name}. A request to its data creates it, such as GET /pet/1 or POST /sandbox/reset`

const absent = (name: string): Problem =>
  new Problem(
    "unauthorized",
    `The sandbox ${name} does not exist. A request with an API key that every new sandbox has, such as special-key, creates it; ` +
      "an access token does not",
  )
