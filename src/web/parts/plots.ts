import type { TrafficSlot } from "../../kernel/measure.ts"
import { html, type Markup } from "../html.ts"

const [height, step, gap] = [96, 10, 2]

/** A stacked bar per time slot: served, refused and failed requests. */
export function trafficPlot(slots: readonly TrafficSlot[], says: string): Markup {
  const most = Math.max(1, ...slots.map(({ requests }) => requests))
  const scale = (count: number) => Math.round((count / most) * height * 10) / 10
  return html`<svg class="plot" role="img" aria-label="${says}" viewBox="0 0 ${slots.length * step} ${height}" preserveAspectRatio="none">
<path class="base" d="M0 ${height - 0.5}H${slots.length * step}"/>${slots.map(({ requests, refused, failed }, n) => {
    const parts = [
      { look: "served", count: requests - refused - failed },
      { look: "refused", count: refused },
      { look: "failed", count: failed },
    ]
    let top = height
    return parts.map(({ look, count }) => {
      top -= scale(count)
      return (
        count > 0 &&
        html`<rect class="${look}" x="${n * step}" y="${top}" width="${step - gap}" height="${scale(count)}"/>`
      )
    })
  })}</svg>`
}

export const useBar = (used: number, most: number, says: string): Markup =>
  html`<svg class="use" role="img" aria-label="${says}" viewBox="0 0 100 6" preserveAspectRatio="none">
<rect class="room" width="100" height="6" rx="1"/><rect class="${used >= most ? "full" : "used"}" width="${Math.min(100, (used / Math.max(1, most)) * 100)}" height="6" rx="1"/></svg>`
