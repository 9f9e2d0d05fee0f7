import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { classicOperations } from "../../src/core/domain/api.ts"
import { catalogue } from "../../src/parts/sandbox/defects/catalogue/catalogue.ts"
import type { DefectId } from "../../src/parts/sandbox/defects/contract.ts"
import { listed } from "../../src/parts/sandbox/defects/defects.ts"
import { explanations } from "./explanations.ts"
import { categories, type Finding, type Parts, published, type ToolResult } from "./published.ts"
import { stackedBars } from "./stacked-bars.ts"
import { footer, type Table, toMarkdown } from "./table.ts"

/** What tools that test APIs found, and what they report of the service without a defect. */
export function toolsSection(part: Parts["defects"] | undefined): string {
  if (!part) return ""
  const outcomes = ["found", "missed", "undecided"] as const
  const bars = part.tools.map(({ name, findings }) => ({
    name,
    values: outcomes.map((one) => findings.filter(({ outcome }) => outcome === one).length),
  }))
  writeFileSync(join(published, "defects.svg"), stackedBars("Defects, each alone", outcomes, bars))
  return `## Tools that test APIs

![Defects that each tool found](defects.svg)

${toMarkdown(findsTable(part.tools), "defects", ownHeads)}
A tool *could see* a defect if its description or its collection has an operation with it, and its command has the
[key, token or header](../defects.md) that shows it; all could leave out the key. A find is a failure of another operation, check or status than
without the defect. ${foundByNone(part.tools)}${earlier(part.tools)}${busy(part.tools)}

${part.tools.map(({ name, command }) => `- ${name}: \`${command}\``).join("\n")}

What they report of the service without a defect, and why:

${part.tools.flatMap(explained).join("\n")}

${footer("defects", part.tools, part.skipped)}`
}

const known = new Map(listed(catalogue).map((one) => [one.id, one]))

function couldSee({ given: { operations, means } }: ToolResult, { defect }: Finding): boolean {
  const { operations: affected, seenWith } = known.get(defect as DefectId) ?? { operations: [] }
  const isThere =
    operations === "all" ||
    affected.length === 0 ||
    affected.some((name) => (classicOperations as readonly string[]).includes(name))
  return isThere && (seenWith === undefined || seenWith.some((one) => means.includes(one)))
}

const ownHeads = ["Of what it could see", "Reports without a defect", "A run", "Measured"]

/** What each tool found in each category. */
export function findsTable(tools: readonly ToolResult[]): Table {
  const rows = tools.map((tool) => {
    const { name, version, date, seconds, findings } = tool
    const scoreOf = (some: readonly Finding[]) =>
      `${some.filter(({ outcome }) => outcome === "found").length}/${some.length}`
    return [
      `${name} ${version}`.trim(),
      scoreOf(findings),
      scoreOf(findings.filter((one) => couldSee(tool, one))),
      String(countReports(tool)),
      `${Math.round(seconds / (findings.length + 2))} s`,
      date,
      ...categories(findings).map((category) => scoreOf(findings.filter((one) => one.category === category))),
    ]
  })
  return { columns: ["Tool", "All", ...ownHeads, ...categories(tools[0]?.findings ?? [])], rows }
}

function foundByNone(tools: readonly ToolResult[]): string {
  const found = new Set(
    tools.flatMap(({ findings }) => findings.filter(({ outcome }) => outcome === "found")).map(({ defect }) => defect),
  )
  const never = [...known.keys()].filter((id) => !found.has(id)).map((id) => `\`${id}\``)
  return never.length > 0 ? `Found by none: ${never.join(", ")}.` : "Each defect is found by one of them."
}

/** Names the rows that an earlier version measured. */
function earlier(tools: readonly ToolResult[]): string {
  const names = tools.filter(({ withoutDefect }) => typeof withoutDefect === "number").map(({ name }) => name)
  if (names.length === 0) return ""
  return ` By an earlier version, with a part of the operations, which compared the words of failures and did not list the
reports: ${names.join(", ")}, which may have found more.`
}

/** Names the rows whose machine did much else. */
function busy(tools: readonly ToolResult[]): string {
  const names = tools.flatMap(({ name, load = 0 }) => (load > idleLoadMax ? `${name} (load ${load})` : []))
  return names.length === 0 ? "" : ` Runs took longer beside other work: ${names.join(", ")}.`
}

const idleLoadMax = 4

const countReports = ({ withoutDefect }: ToolResult): number =>
  typeof withoutDefect === "number" ? withoutDefect : withoutDefect.length

/** What a tool reports of the service without a defect: a line for each kind. */
function explained(tool: ToolResult): string[] {
  const count = countReports(tool)
  if (count === 0) return []
  const reasons = explanations[tool.name] ?? ["not explained yet"]
  return [`- ${tool.name}, ${count}:`, ...reasons.map((reason) => `  - ${reason}`)]
}
