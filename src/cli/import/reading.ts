import { InvalidMapping, parseMap, type ReadOptions } from "../../pet-files/read-options.ts"
import { type CommandInput, isOn, one, UsageError } from "../command/command.ts"

/** Reads the flags that say how to read the file. Throws UsageError. */
export function readReadOptions(input: CommandInput): ReadOptions {
  try {
    return { newIds: isOn(input, "new-ids"), map: parseMap(mapsIn(input)), titles: one(input, "columns")?.split(",") }
  } catch (error) {
    throw error instanceof InvalidMapping ? new UsageError(`--map: ${error.message}`) : error
  }
}

/** The flags that decide which pets the lines of a file are, in one spelling; undefined when there are none. */
export function describeReading(input: CommandInput): string | undefined {
  const columns = one(input, "columns")
  const flags = [
    ...mapsIn(input)
      .map((assignment) => `--map ${assignment}`)
      .sort(),
    ...(columns === undefined ? [] : [`--columns ${columns}`]),
  ]
  return flags.length === 0 ? undefined : flags.join(" ")
}

const mapsIn = (input: CommandInput): string[] => (input.flags.map ?? []).map(String)
