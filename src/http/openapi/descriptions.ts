import type { Api } from "../../domain/api.ts"
import { basePath } from "../../kernel/network/path.ts"
import { classicOpenapi } from "./classic.ts"
import { openapi } from "./document.ts"

type Documents = { whole(): object; classic(): object }

/** The documents of a service, with the address of one of its named sandboxes. */
export function describeSandbox(describe: Documents, publicUrl: () => string): Documents {
  const servers = () => [{ url: publicUrl() + basePath, description: "This sandbox" }]
  return {
    whole: () => ({ ...describe.whole(), servers: servers() }),
    classic: () => ({ ...describe.classic(), servers: servers() }),
  }
}

/** The documents that describe a service, once it knows its address; the whole one is made once. */
export function describeService(api: Api, version: string, publicUrl: () => string) {
  let whole: object | undefined
  return {
    whole(): object {
      whole ??= openapi(api, version, publicUrl())
      return whole
    },
    classic: (): object => classicOpenapi(api, version, publicUrl()),
  }
}
