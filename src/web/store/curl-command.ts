import { basePath } from "../../kernel/network/path.ts"
import { html, type Markup } from "../html.ts"
import type { Shop } from "./views.ts"

export const exampleKey = ({ knownKeys: [known] }: Shop): string => known?.secret ?? "YOUR_KEY"

/** A call of the API as a command for a terminal, with a button that copies it. */
export const curlCommand = (shop: Shop, path: string, options = ""): Markup => html`
<div class="command"><pre class="wrap" tabindex="0">curl ${options}-H 'api_key: ${exampleKey(shop)}' '${shop.publicUrl()}${basePath}${path}'</pre>
<button class="quiet" type="button" data-copy hidden>Copy</button></div>`
