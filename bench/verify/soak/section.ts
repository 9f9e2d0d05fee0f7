import type { Soak } from "./soak.ts"

/** The section of docs/reliability.md, as Markdown without its heading. */
export function soakSection({ minutes, calls, deliveries, otherCores, usage, unexpected }: Soak): string {
  const each = Object.entries(calls).map(([activity, count]) => `${count} ${activity}`)
  const total = Object.values(calls).reduce((sum, count) => sum + count, 0)
  const rows = usage.map(
    ({ measure, thirds, bound, isBounded }) =>
      `| ${measure} | ${thirds.join(" | ")} | ${bound}${isBounded ? "" : ": **exceeded**"} |`,
  )
  const others = unexpected.length > 0 ? unexpected.map((one) => `\`${one.replaceAll("`", "'")}\``).join(", ") : "none"
  return `${minutes} minutes of mixed load on one process with SQLite: ${total} requests (${each.join(", ")}) and ${deliveries} deliveries to a webhook.
Each client removes what it adds. Other programs of the machine used ${otherCores} cores on average. The highest value of each third of the time:

| | first third | middle third | last third | bound of the last |
| --- | ---: | ---: | ---: | --- |
${rows.join("\n")}

Responses other than successes: ${others}.`
}

/** Whether all measures were bounded, and each request succeeded. */
export const isBoundedSoak = ({ usage, unexpected }: Soak): boolean =>
  unexpected.length === 0 && usage.every(({ isBounded }) => isBounded)
