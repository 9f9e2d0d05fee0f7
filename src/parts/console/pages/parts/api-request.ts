import { basePath } from "../../../../core/kernel/network/path.ts"
import { html, type Markup } from "../../../site/pages/html.ts"
import { copyButton } from "../../../site/pages/parts/copyable.ts"
import type { ApiRequest } from "../../../site/serving/call.ts"

type ServiceContext = { service: { publicUrl(): string } }

/** The request with which a program reads what the page shows, as curl, and its response. */
export const apiRequest = (
  context: ServiceContext,
  { request, value }: { request: ApiRequest; value?: unknown },
): Markup => {
  const curl = curlOf(context, request)
  return html`<div class="api">
<p class="copyable"><code>${request.method} ${pathOf(request)}</code>${copyButton(curl, "", "Copy as curl")}</p>
<details><summary>curl</summary><pre class="wrap">${curl}</pre></details>
${value !== undefined && responseOf(value)}
</div>`
}

function responseOf(value: unknown): Markup {
  const json = JSON.stringify(value, null, 2)
  return html`<details><summary>JSON</summary><pre class="wrap">${json}</pre>${copyButton(json, "", "Copy JSON")}</details>`
}

const pathOf = ({ target, prefix = "" }: ApiRequest): string => prefix + basePath + target

/** Only GET requests are shown, which have no body. */
function curlOf({ service }: ServiceContext, request: ApiRequest): string {
  const url = `${service.publicUrl()}${pathOf(request)}`.replaceAll("'", "%27")
  return `curl -H "api_key: $PETSTORE_KEY" '${url}'`
}
