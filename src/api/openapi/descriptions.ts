import type { ApiContract } from "../../domain/api.ts"
import { basePath } from "../../kernel/network/path.ts"
import { classicOpenapi } from "./classic.ts"
import { openapi } from "./document.ts"
import { swagger } from "./swagger.ts"

type Documents = {
  whole(): object
  withoutWebhooks(): object
  classic(): object
  /** The classic v2, at the service's own address by default; undefined where it is not served. */
  v2: ((publicUrl?: string) => object) | undefined
}

/** The documents of a service, with the address of one of its named sandboxes. */
export function sandboxDocuments(
  { whole, withoutWebhooks, classic, v2 }: Documents,
  publicUrl: () => string,
): Documents {
  const servers = () => [{ url: publicUrl() + basePath, description: "This sandbox" }]
  return {
    whole: () => ({ ...whole(), servers: servers() }),
    withoutWebhooks: () => ({ ...withoutWebhooks(), servers: servers() }),
    classic: () => ({ ...classic(), servers: servers() }),
    v2: v2 && (() => v2(publicUrl())),
  }
}

/** The OpenAPI documents of a service, made once its address is known; the whole one is cached. */
export function openapiDocuments(
  api: ApiContract,
  version: string,
  hasV2: boolean,
  publicUrl: () => string,
): Documents {
  let whole: object | undefined
  return {
    whole(): object {
      whole ??= openapi(api, version, publicUrl())
      return whole
    },
    withoutWebhooks: () => openapi(api, version, publicUrl(), []),
    classic: () => classicOpenapi(api, version, publicUrl()),
    v2: hasV2 ? (address = publicUrl()) => swagger(api, version, address) : undefined,
  }
}
