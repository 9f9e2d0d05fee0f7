type Bar = { name: string; values: readonly number[] }

const width = 760
const left = 280
const right = 20
const top = 62
const row = 26
const colours = ["#2da44e", "#cf222e", "#d0d7de"]

/** A bar of parts for each name, as SVG: the numbers are in the parts. */
export function stackedBars(title: string, parts: readonly string[], bars: readonly Bar[]): string {
  const largest = Math.max(...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)), 1)
  const scale = (width - left - right) / largest
  const height = top + bars.length * row + 14
  const legend = parts.map((part, n) => {
    const x = left + n * 120
    return `<rect x="${x}" y="36" width="12" height="12" rx="2" fill="${colours[n]}"/><text x="${x + 18}" y="47" fill="#1f2328">${escapeText(part)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12">
<title>${escapeText(title)}</title>
<rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>
<text x="20" y="24" font-size="15" font-weight="600" fill="#1f2328">${escapeText(title)}</text>
${legend.join("\n")}
${bars.map((bar, n) => drawBar(bar, top + n * row, scale)).join("\n")}
</svg>
`
}

function drawBar({ name, values }: Bar, y: number, scale: number): string {
  let x = left
  const parts = values.map((value, n) => {
    const [start, length] = [x, value * scale]
    x += length
    const ink = n === 2 ? "#1f2328" : "#ffffff"
    const number =
      length < 16
        ? ""
        : `<text x="${round(start + length / 2)}" y="${y + 17}" text-anchor="middle" fill="${ink}">${value}</text>`
    return value === 0
      ? ""
      : `<rect x="${round(start)}" y="${y + 3}" width="${round(length)}" height="${row - 6}" fill="${colours[n]}"/>${number}`
  })
  return `<text x="${left - 10}" y="${y + 17}" text-anchor="end" fill="#1f2328">${escapeText(name)}</text>${parts.join("")}`
}

const round = (value: number) => Math.round(value * 10) / 10
const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
