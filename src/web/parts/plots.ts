import type { TrafficSlot } from "../../kernel/measure.ts"
import { html, type Markup } from "../html.ts"

const [height, step, gap] = [96, 10, 2]

/** A stacked bar per time slot: served, refused and failed requests. */
export function trafficPlot(slots: readonly TrafficSlot[], label: string): Markup {
  const max = Math.max(1, ...slots.map(({ requests }) => requests))
  const scale = (count: number) => Math.round((count / max) * height * 10) / 10
  return html`<svg class="plot" role="img" aria-label="${label}" viewBox="0 0 ${slots.length * step} ${height}" preserveAspectRatio="none">
<path class="base" d="M0 ${height - 0.5}H${slots.length * step}"/>${slots.map(({ requests, refused, failed }, n) => {
    const parts = [
      { kind: "served", count: requests - refused - failed },
      { kind: "refused", count: refused },
      { kind: "failed", count: failed },
    ]
    let top = height
    return parts.map(({ kind, count }) => {
      top -= scale(count)
      return (
        count > 0 &&
        html`<rect class="${kind}" x="${n * step}" y="${top}" width="${step - gap}" height="${scale(count)}"/>`
      )
    })
  })}</svg>`
}

export const useBar = (used: number, max: number, label: string): Markup =>
  html`<svg class="use" role="img" aria-label="${label}" viewBox="0 0 100 6" preserveAspectRatio="none">
<rect class="room" width="100" height="6" rx="1"/><rect class="${used >= max ? "full" : "used"}" width="${Math.min(100, (used / Math.max(1, max)) * 100)}" height="6" rx="1"/></svg>`
