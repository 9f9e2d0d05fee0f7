import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")
/** WCAG 2.2 AA and axe's best practices. */
const allRules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
/** Those that depend on colours and sizes. */
const rulesOfStyle = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"]

/** The violations that axe reports for a page, or for its style alone. */
export async function violationsOn(page: Page, of: "page" | "style" = "page"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const rulesRun = {
    resultTypes: ["violations"],
    preload: false,
    selectors: false,
    runOnly: of === "page" ? allRules : rulesOfStyle,
  }
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(rulesRun)})`)) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
  }
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}
