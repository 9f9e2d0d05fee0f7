import type { Part } from "../context.ts"

/** The account's client; somebody else's is refused exactly as one that is not there. */
export const requireClient = <Client>(
  { refuse }: Part<never, "oauth-client-not-found">,
  client: Client | undefined,
): Client => client ?? refuse("oauth-client-not-found", "OAuth client not found")
