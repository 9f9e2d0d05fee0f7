import { basePath } from "../../core/kernel/network/path.ts"
import { html, type Markup } from "../site/pages/html.ts"
import type { Shop } from "./views.ts"

export const exampleKey = ({ knownKeys: [known] }: Shop): string => known?.secret ?? "YOUR_KEY"

/** A call of the API as a command for a terminal, with a button that copies it. */
export function curlCommand(shop: Shop, path: string, options = ""): Markup {
  const url = `${shop.publicUrl()}${basePath}${path}`
  // A shell may take `?` for a pattern of file names.
  const argument = path.includes("?") ? `'${url}'` : url
  return html`
<div class="command"><pre class="wrap" tabindex="0">curl ${options}-H 'api_key: ${exampleKey(shop)}' ${argument}</pre>
<button class="quiet" type="button" data-copy hidden>Copy</button></div>`
}
