import type { LimitUsage } from "../../../../core/domain/limits/contract.ts"
import { html, type Markup } from "../html.ts"
import { useBar } from "./plots.ts"

export const useOfLimits = (limits: readonly LimitUsage[]): Markup =>
  limits.length === 0
    ? html`<p>No limits.</p>`
    : html`${limits.map(
        ({
          policy,
          used,
          quota,
        }) => html`<p class="measure"><span>This ${policy}</span> <span>${used.toLocaleString("en")} of ${quota.toLocaleString("en")}</span></p>
${useBar(used, quota, `${used} of ${quota} requests used this ${policy}`)}`,
      )}`
