import type { TaskVerdict } from "../../../examiner/verdict.ts"
import type { Exam } from "./contract.ts"

/** What `petstore exam --json` prints, of an exam without an adapter: what is open or needs one is not claimed. */
export const verdictsOf = ({ tasks }: Exam): TaskVerdict[] =>
  tasks.map(({ steps: _, outcome, ...told }) => {
    if (outcome === "open") return { ...told, outcome: "unclaimed", observed: "not done" }
    if (outcome === "unjudged") return { ...told, outcome: "unclaimed", observed: "not judged without an adapter" }
    return { ...told, outcome }
  })

export const countOf = ({ tasks }: Exam, wanted: Exam["tasks"][number]["outcome"]): number =>
  tasks.filter(({ outcome }) => outcome === wanted).length

/** The result as an image beside the name of a project: what was passed of the tasks that are judged. */
export function badgeOf(exam: Exam): string {
  const [passed, missed] = [countOf(exam, "passed"), countOf(exam, "missed")]
  const [label, value] = ["petstore exam", `${passed} of ${exam.tasks.length - countOf(exam, "unjudged")} passed`]
  const [left, right] = [label, value].map((text) => 14 + 7 * text.length) as [number, number]
  const color = missed > 0 ? "#a4161a" : passed > 0 ? "#2f6b3c" : "#5c645b"
  const width = left + right
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${value}">
<title>${label}: ${value}</title>
<rect width="${width}" height="20" rx="3" fill="#232823"/><path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${color}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${value}</text></g>
</svg>
`
}
