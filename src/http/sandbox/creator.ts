import { Problem } from "../../kernel/problem.ts"
import { refuseCredential } from "../pipeline/admission.ts"
import type { Exchange } from "../pipeline/exchange.ts"
import { refuseForeignOrigin } from "../pipeline/foreign-pages.ts"
import type { Serving } from "../server/serving.ts"

/**
 * Throws unless the request may create the sandbox it names. A request without one of these keys creates none; otherwise
 * anonymous clients could use up all sandboxes. Without a list of keys, requests need no credential.
 */
export async function requireCreator(
  exchange: Exchange,
  keys: readonly { secret: string }[] | undefined,
  { limitAddress, publicUrl }: Pick<Serving, "limitAddress" | "publicUrl">,
): Promise<void> {
  const { api_key: key, authorization } = exchange.request.headers
  const isKnown = authorization === undefined && typeof key === "string" && keys?.some(({ secret }) => secret === key)
  if (keys && !isKnown) await refuseCredential(exchange, absent(exchange), { limitAddress, publicUrl })
  // The keys are public, so pages of any site have one.
  refuseForeignOrigin(exchange, publicUrl())
  await limitAddress("anonymous", exchange.address)
}

const absent = ({ sandbox }: Exchange): Problem =>
  new Problem(
    "unauthorized",
    `The sandbox ${sandbox} does not exist. A request with an API key that every new sandbox has, such as special-key, creates it; ` +
      "an access token does not",
  )
