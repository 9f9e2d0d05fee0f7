import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Question } from "../contestants/contestant.ts"
import type { Figure, Results } from "../results.ts"
import type { Spread } from "../statistics.ts"
import { type Bar, barChart } from "./bar-chart.ts"
import { renderResults } from "./markdown.ts"

/** Writes the page, its charts and the data into a directory. */
export function writeReport(directory: string, results: Results, ours: ReadonlySet<string>): void {
  mkdirSync(directory, { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
  const bars = (question: Question, of: (figure: Figure) => Spread): Bar[] =>
    results.contestants.flatMap(({ name, figures }) => {
      const figure = figures[question]
      return figure ? [{ name, value: of(figure), isOurs: ours.has(name) }] : []
    })
  const rate = ({ requestsPerSecond }: Figure) => requestsPerSecond
  write("results.json", `${JSON.stringify(results, null, 2)}\n`)
  write("README.md", renderResults(results))
  write("reads.svg", barChart("One pet", "requests a second", bars("get", rate)))
  write("lists.svg", barChart("100 pets by status", "requests a second", bars("list", rate)))
  write("creates.svg", barChart("New pets", "requests a second", bars("create", rate)))
  const time = bars("get", ({ processorUs }) => processorUs)
  write("processor-time.svg", barChart("Processor time of one pet", "microseconds a request; lower is better", time))
}
