import type { ProblemKind } from "../../src/kernel/problem.ts"

/** `docs/problems.md`, from the table of problems. */
export const problemsPage = (problems: Record<string, ProblemKind>): string => `# Problems

Every response of the service that is not a success, as \`application/problem+json\` (RFC 9457). \`code\` is stable;
\`type\` leads to the page \`/problems/{code}\` of the service that responded. Generated from \`src/domain/problems.ts\`.

${table(
  ["Status", "Code", "What happened, what to do"],
  Object.entries(problems).map(([code, { status, meaning }]) => [String(status), `\`${code}\``, meaning]),
)}`

/** `docs/configuration.md`, from the table of settings. */
export const configurationPage = (
  known: Record<string, { meaning: string; default: string }>,
): string => `# Configuration

Every setting is an environment variable; an unknown \`PETSTORE_*\` variable is an error that names the nearest known one.
Generated from \`src/settings.ts\`.

${table(
  ["Variable", "Meaning", "Default"],
  Object.entries(known).map(([name, { meaning, default: usual }]) => [`\`${name}\``, meaning, usual]),
)}`

function table(head: string[], rows: string[][]): string {
  const row = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`
  return [head, head.map(() => "---"), ...rows].map(row).join("")
}
