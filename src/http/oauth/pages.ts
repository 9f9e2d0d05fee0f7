import type { Provider } from "oidc-provider"
import type { Operating } from "../operations/operating.ts"
import { consentsHandlers } from "./consents.ts"
import { interactionHandlers } from "./interaction.ts"
import type { Issuing } from "./provider.ts"
import { type SigningIn, signInHandlers } from "./sign-in.ts"

/** What the pages do, by their path below the mount. */
export const oauthPages = (
  provider: () => Promise<Provider>,
  served: SigningIn & Issuing & { operating: Operating },
) => ({
  "/sign-in": signInHandlers(provider, served),
  "/interaction/:uid": interactionHandlers(provider, served),
  "/consents": consentsHandlers(provider, served),
})
