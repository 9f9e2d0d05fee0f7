import type { Part } from "../../core/assembly/part.ts"
import { untilRowsAreFree } from "../../core/assembly/until-rows-are-free.ts"
import { programEndpoints } from "./endpoints/endpoints.ts"
import { createDocumentReader } from "./server/documents.ts"
import { modulesOfOAuth } from "./server/modules.ts"
import { addOAuth, addOAuthOfNamedStore, prepareSigning } from "./server/mount.ts"
import { rotateSigningKeys } from "./server/signing-keys.ts"

/** The authorization server, of the service and of each further store. */
export const oauthPart: Part = {
  name: "oauth",
  needs: ["site"],
  preload: modulesOfOAuth,
  open({ steady }) {
    const readDocument = createDocumentReader(steady)
    return {
      endpoints: programEndpoints,
      openStore: () => ({
        async addRoutes(router, { shared, opened, http, api, name }) {
          const { knownKeys, samplePeople } = shared.samples
          const served = {
            ports: opened.ports,
            signals: opened.signals,
            surround: api.surround,
            limitAddress: http.limitAddress,
            readDocument,
            siteUrl: http.publicUrl,
            docsPath: http.docsPath,
            externalIssuer: shared.externalIssuer,
            hasKnownKeys: knownKeys.length > 0,
            samplePeople,
          }
          if (name !== undefined) return addOAuthOfNamedStore(router, served)
          await untilRowsAreFree(() => prepareSigning(served))
          addOAuth(router, served)
        },
      }),
      serve: () => ({ chores: [rotateSigningKeys] }),
    }
  },
}
