import { hash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { HttpResponse } from "../../kernel/network/http-response.ts"
import { type Compressed, compress } from "../compressed.ts"
import { petPage } from "./pet-page.ts"
import { storePage } from "./store-page.ts"
import type { ListView, PetView, Shop } from "./views.ts"

const script = readFileSync(join(import.meta.dirname, "store.js"), "utf8")
/** Changes with the script, so that it may be cached for good. */
const scriptName = `store-${hash("sha256", script).slice(0, 16)}.js`
const scriptAddress = `store/${scriptName}`

/** The pages of the store, each made of what it shows. */
type StorePages = {
  list(view: ListView): HttpResponse
  pet(view: PetView): HttpResponse
  /** Undefined for a name no script has. */
  script(name: string, acceptsGzip: boolean): Promise<HttpResponse | undefined>
}

export function createStorePages(shop: Shop): StorePages {
  let compressed: Promise<Compressed> | undefined
  return {
    list: (view) => storePage(shop, view, scriptAddress),
    pet: (view) => petPage(shop, view, scriptAddress),
    async script(name, acceptsGzip) {
      if (name !== scriptName) return undefined
      compressed ??= compress("text/javascript; charset=utf-8", "public, max-age=31536000, immutable", script)
      return (await compressed)(acceptsGzip)
    },
  }
}
