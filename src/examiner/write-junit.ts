import type { TaskVerdict } from "./verdict.ts"

/** The verdicts as JUnit XML: a suite for each chapter; what is not claimed is skipped, and what was not measured an error. */
export function writeJunit(verdicts: readonly TaskVerdict[]): string {
  const chapters = Map.groupBy(verdicts, ({ chapter }) => chapter)
  const suites = [...chapters].map(([chapter, tasks]) => {
    const count = (outcome: TaskVerdict["outcome"]) => tasks.filter((task) => task.outcome === outcome).length
    const unusual = `failures="${count("missed")}" errors="${count("unmeasured")}" skipped="${count("unclaimed")}"`
    const counts = `tests="${tasks.length}" ${unusual}`
    return `<testsuite name="${escapeText(chapter)}" ${counts}>\n${tasks.map(writeCase).join("")}</testsuite>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`
}

function writeCase({ chapter, name, expects, source, outcome, observed = "", requests = [] }: TaskVerdict): string {
  const property = source && `<properties><property name="source" value="${escapeText(source)}"/></properties>`
  const details = {
    passed: "",
    unclaimed: `<skipped message="${escapeText(observed)}"/>`,
    unmeasured: `<error message="${escapeText(observed)}"/>`,
    missed: `<failure message="${escapeText(observed)}">${escapeText([expects, ...requests].join("\n"))}</failure>`,
  }
  return `<testcase classname="${escapeText(chapter)}" name="${escapeText(name)}">${property ?? ""}${details[outcome]}</testcase>\n`
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
}

/** Also without the characters that XML 1.0 cannot have (section 2.2). */
const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "�")
    .replace(/[&<>"\n\r\t]/g, (character) => entities[character] as string)
