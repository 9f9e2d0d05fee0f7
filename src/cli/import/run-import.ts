import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import type { PetDraft } from "../../core/domain/pets/contract.ts"
import { counted } from "../../core/kernel/counted.ts"
import { visible } from "../../core/kernel/visible.ts"
import { csvColumns, type MappedColumn } from "../../pet-files/csv-columns.ts"
import type { Line } from "../../pet-files/lines.ts"
import { type CommandInput, isOn, one, type World } from "../command/command.ts"
import { formatNumber, openProgress } from "../output/progress.ts"
import { printResult } from "../output/result.ts"
import { createTable } from "../output/table.ts"
import { type Journal, openJournal } from "./journal.ts"
import { choosePaths, type Paths } from "./paths.ts"
import { describeReading, readReadOptions } from "./reading.ts"
import { openReport } from "./report.ts"
import { createRetry } from "./retry.ts"
import { checkLines, type LineOutcome, sendLines } from "./send.ts"
import { type ImportSource, type MarkedLine, openSource, readSource } from "./source.ts"

/** Pets that a dry run displays. */
const shownMax = 5

/** Returns the exit code. */
export async function runImport(input: CommandInput, world: World): Promise<number> {
  const file = input.arguments.file as string
  const source = await openSource(file, world.terminal.stdin)
  const { columns, lines } = await readSource(source, readReadOptions(input))
  if (columns && !world.json) world.terminal.err(describeColumns(columns))
  const keepsState = !isOn(input, "dry-run") && (file !== "-" || one(input, "state") !== undefined)
  const store = keepsState ? await askStore(world) : undefined
  const paths = choosePaths(file, input, world, store)
  const total = await importLines(input, world, { ...paths, store }, lines, source)
  return total.refused > 0 || total.held > 0 ? 1 : 0
}

const describeColumns = (columns: readonly MappedColumn[]): string =>
  columns
    .map(({ title, column, separator }) => {
      const separated =
        separator === undefined || separator === "|" ? "" : `, separated by ${JSON.stringify(separator)}`
      return `column ${visible(title)} → ${column ?? "nothing"}${separated}\n`
    })
    .join("")

type Total = { lines: number; blank: number; imported: number; before: number; refused: number; held: number }

type Locations = Paths & { store: string | undefined }

async function askStore(world: World): Promise<string | undefined> {
  const retry = createRetry(world, (_ms, why) => world.terminal.err(`Waiting: ${why}\n`))
  return (await retry(() => world.service.client.getOwnAccount())).value.store
}

async function importLines(
  input: CommandInput,
  world: World,
  paths: Locations,
  lines: AsyncGenerator<MarkedLine>,
  source: ImportSource,
) {
  const isDryRun = isOn(input, "dry-run")
  const shown: PetDraft[] = []
  const progress = openProgress(world.terminal, world.clock, source.lines)
  const report = openReport(paths.report, { ...world.terminal, err: progress.say })
  const journal = isDryRun ? undefined : openJournalOf(input, world, paths, source.fingerprint)
  if (journal && journal.doneBefore > 0 && !world.json) world.terminal.err(describeEarlier(journal, paths))
  const total: Total = { lines: 0, blank: 0, imported: 0, before: 0, refused: 0, held: 0 }
  const startedAt = world.clock.now()

  const settle = (line: Pick<Line, "number" | "bytes">, outcome: LineOutcome) => {
    total.lines += 1
    if (typeof outcome === "string") total[outcome] += 1
    else {
      total[outcome.code === "in-doubt" ? "held" : "refused"] += 1
      report.add(line, outcome)
    }
    progress.update(total.lines, total.imported + total.refused)
  }
  const sending = { resend: isOn(input, "resend"), say: progress.say, settle }
  const [ended] = await Promise.allSettled([
    journal ? sendLines(world, journal, lines, sending) : checkLines(keepFirst(lines, shown), settle),
  ])
  progress.end()
  report.close()
  const failed = ended.status === "rejected" ? ended : undefined
  if (!failed) journal?.recordFinished()
  journal?.close()
  if (total.refused + total.held > 0 && paths.report && !world.json)
    world.terminal.err(`Refused lines are listed in ${paths.report}\n`)
  if (isDryRun && !world.json && shown.length > 0) world.terminal.out(createTable(csvColumns, world.terminal)(shown))
  summarise(world, total, isDryRun, (world.clock.now() - startedAt) / 1000)
  if (failed) {
    if (!world.interrupted.aborted)
      world.terminal.err("The import is incomplete; run the same command again to continue.\n")
    throw failed.reason
  }
  return total
}

/** Passes the lines on and keeps the first pets. */
async function* keepFirst(lines: AsyncIterable<MarkedLine>, shown: PetDraft[]): AsyncGenerator<MarkedLine> {
  for await (const marked of lines) {
    if ("draft" in marked && shown.length < shownMax) shown.push(marked.draft)
    yield marked
  }
}

const describeEarlier = ({ doneBefore }: Journal, { state }: Paths): string =>
  `${counted(doneBefore, "pet")} ${doneBefore === 1 ? "was" : "were"} already imported according to ${state}; use --again to start over.\n`

function openJournalOf(
  input: CommandInput,
  { service, clock }: World,
  { state: path, store }: Locations,
  fingerprint: string,
): Journal {
  const again = isOn(input, "again")
  if (again && path !== undefined) rmSync(path, { force: true })
  const source = again ? randomUUID() : fingerprint
  const [newIds, reading] = [isOn(input, "new-ids"), describeReading(input)]
  return openJournal(path, { source, url: service.url, store, newIds, reading }, clock)
}

function summarise(world: World, total: Total, isDryRun: boolean, seconds: number): void {
  const parts = [
    `${formatNumber(total.imported)} ${isDryRun ? "valid" : "imported"}`,
    ...(total.before > 0 ? [`${formatNumber(total.before)} already imported`] : []),
    `${formatNumber(total.refused)} refused`,
    ...(total.held > 0 ? [`${formatNumber(total.held)} held back`] : []),
    ...(total.blank > 0 ? [`${formatNumber(total.blank)} blank`] : []),
  ]
  const rate = isDryRun || seconds === 0 ? "" : `, ${formatNumber(Math.round(total.imported / seconds))} pets/s`
  const words = `${counted(total.lines, "line")}: ${parts.join(", ")}. ${seconds.toFixed(1)} s${rate}\n`
  printResult(world, { ...total, seconds }, words)
}
