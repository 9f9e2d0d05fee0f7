import type { TrafficSlot } from "../../../../core/kernel/measure.ts"
import { html, type Markup } from "../html.ts"
import { table } from "./table.ts"

const heightPx = 128
const hourMs = 3_600_000

type Counts = Pick<TrafficSlot, "requests" | "refused" | "failed">

/** A stacked bar per time slot, with axes: served, refused and failed requests. The same numbers follow as a table by hour. */
export const trafficPlot = (slots: readonly TrafficSlot[], label: string): Markup => html`
<div class="plot" role="img" aria-label="${label}">${svg(slots, topOf(slots))}</div>
<details class="numbers"><summary>Numbers by hour</summary>
${table({
  caption: "Requests by hour, newest first",
  columns: [
    { title: "From (UTC)", kind: "time", isHead: true, cell: ({ startsAt }) => clockTime(startsAt) },
    { title: "Requests", kind: "number", cell: ({ requests }) => requests },
    { title: "Refused", kind: "number", cell: ({ refused }) => refused },
    { title: "Failed", kind: "number", cell: ({ failed }) => failed },
  ],
  rows: byHour(slots).reverse(),
})}
</details>`

/** The end of the vertical axis: a round number with a round half, at least the highest bar. */
function topOf(slots: readonly Counts[]): number {
  const max = Math.max(2, ...slots.map(({ requests }) => requests))
  const power = 10 ** Math.floor(Math.log10(max))
  return [1, 2, 4, 6, 8].map((n) => n * power).find((top) => top >= max) ?? 10 * power
}

const byHour = (slots: readonly TrafficSlot[]): TrafficSlot[] =>
  [...Map.groupBy(slots, ({ startsAt }) => Math.floor(startsAt / hourMs) * hourMs)].map(([startsAt, part]) => {
    const sum = (of: keyof Counts) => part.reduce((all, slot) => all + slot[of], 0)
    return { startsAt, requests: sum("requests"), refused: sum("refused"), failed: sum("failed") }
  })

const clockTime = (at: number): string => new Date(at).toISOString().slice(11, 16)

/** Horizontal positions are percentages, so texts keep their size at every width. */
function svg(slots: readonly TrafficSlot[], top: number): Markup {
  const width = 100 / slots.length
  const y = (count: number) => Math.round((1 - count / top) * heightPx * 10) / 10
  const x = (slot: number) => `${Math.round(slot * width * 100) / 100}%`
  return html`<ol class="scale" aria-hidden="true">${[top, top / 2, 0].map((count) => html`<li>${count}</li>`)}</ol>
<svg width="100%" height="${heightPx + 24}">
${[0, top / 2, top].map((count) => html`<line class="grid" x1="0" x2="100%" y1="${y(count)}" y2="${y(count)}"/>`)}
${slots.map((slot, n) => bar(slot, { x: x(n), width: `${Math.round(width * 80) / 100}%`, y }))}
${slots.map(
  ({ startsAt }, n) =>
    startsAt % hourMs === 0 &&
    html`<line class="grid" x1="${x(n)}" x2="${x(n)}" y1="${heightPx}" y2="${heightPx + 6}"/>
<text x="${x(n)}" y="${heightPx + 21}">${clockTime(startsAt)}</text>`,
)}
</svg>`
}

type Position = { x: string; width: string; y(count: number): number }

function bar(slot: TrafficSlot, { x, width, y }: Position): Markup | undefined {
  const { startsAt, requests, refused, failed } = slot
  if (requests === 0) return undefined
  const parts = { served: requests, refused: refused + failed, failed }
  return html`<g><title>${clockTime(startsAt)} UTC: ${requests} requests, ${refused} refused, ${failed} failed</title>
${Object.entries(parts).map(
  ([kind, count]) =>
    count > 0 &&
    html`<rect class="${kind}" x="${x}" width="${width}" y="${y(count)}" height="${heightPx - y(count)}"/>`,
)}</g>`
}
