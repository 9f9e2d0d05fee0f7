import type { Api } from "../../domain/api.ts"
import { basePath } from "../../kernel/network/path.ts"
import { classicOpenapi } from "./classic.ts"
import { openapi } from "./document.ts"

type Documents = { whole(): object; classic(): object }

/** The documents of a service, with the address of one of its named sandboxes. */
export function sandboxDocuments(describe: Documents, publicUrl: () => string): Documents {
  const servers = () => [{ url: publicUrl() + basePath, description: "This sandbox" }]
  return {
    whole: () => ({ ...describe.whole(), servers: servers() }),
    classic: () => ({ ...describe.classic(), servers: servers() }),
  }
}

/** The OpenAPI documents of a service, made once its address is known; the whole one is cached. */
export function openapiDocuments(api: Api, version: string, publicUrl: () => string) {
  let whole: object | undefined
  return {
    whole(): object {
      whole ??= openapi(api, version, publicUrl())
      return whole
    },
    classic: (): object => classicOpenapi(api, version, publicUrl()),
  }
}
