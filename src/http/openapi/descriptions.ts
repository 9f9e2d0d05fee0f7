import type { Api } from "../../domain/api.ts"
import { classicOpenapi } from "./classic.ts"
import { openapi } from "./document.ts"

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
