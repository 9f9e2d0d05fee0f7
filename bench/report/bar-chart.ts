import type { Spread } from "../statistics.ts"

export type Bar = { name: string; value: Spread; isOurs: boolean }

const width = 760
const left = 230
const right = 90
const top = 52
const row = 30

/** A bar chart as SVG: a bar with its number for the median, and a line from the minimum to the maximum. */
export function barChart(title: string, unit: string, bars: readonly Bar[]): string {
  const largest = Math.max(...bars.map(({ value }) => value.max), 1)
  const x = (value: number) => left + (value / largest) * (width - left - right)
  const height = top + bars.length * row + 14
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13">
<title>${escapeText(`${title}, ${unit}`)}</title>
<rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>
<text x="20" y="24" font-size="15" font-weight="600" fill="#1f2328">${escapeText(title)}</text>
<text x="20" y="42" font-size="12" fill="#59636e">${escapeText(unit)}</text>
${bars.map((bar, index) => drawBar(bar, top + index * row, x)).join("\n")}
</svg>
`
}

function drawBar({ name, value, isOurs }: Bar, y: number, x: (value: number) => number): string {
  const middle = y + row / 2
  return [
    `<text x="${left - 10}" y="${middle + 4}" text-anchor="end" fill="#1f2328">${escapeText(name)}</text>`,
    `<rect x="${left}" y="${y + 5}" width="${round(x(value.median) - left)}" height="${row - 10}" rx="2" fill="${isOurs ? "#2da44e" : "#8c959f"}"/>`,
    `<line x1="${round(x(value.min))}" y1="${middle}" x2="${round(x(value.max))}" y2="${middle}" stroke="#1f2328" stroke-width="1.5"/>`,
    `<text x="${round(x(value.max)) + 8}" y="${middle + 4}" fill="#1f2328">${formatNumber(value.median)}</text>`,
  ].join("\n")
}

/** Three significant digits, or all digits before the decimal point. */
export const formatNumber = (value: number): string =>
  value.toLocaleString("en", value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 })

const round = (value: number) => Math.round(value * 10) / 10
const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
