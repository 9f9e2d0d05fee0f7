import type { Provider } from "oidc-provider"
import { interactionHandlers } from "./interaction.ts"
import { type SigningIn, signInHandlers } from "./sign-in.ts"

/** What the pages do, by their path below the mount. */
export const oauthPages = (provider: () => Promise<Provider>, served: SigningIn) => ({
  "/sign-in": signInHandlers(provider, served),
  "/interaction/:uid": interactionHandlers(provider, served),
})
