import { Problem } from "../../../../core/kernel/problem.ts"
import { InvalidMapping, parseMap, type ReadOptions } from "../../../../pet-files/read-options.ts"

/** The fields of the form that say how to read the columns of a file. */
export type MappingFields = { map?: string | undefined; columns?: string | undefined }

/** Reads an assignment from each line, and titles separated by commas. Throws a Problem with what to correct. */
export function readMapping({ map = "", columns = "" }: MappingFields): Pick<ReadOptions, "map" | "titles"> {
  const assignments = map.split("\n").filter((line) => line.trim() !== "")
  try {
    return { map: parseMap(assignments), titles: columns.trim() === "" ? undefined : columns.split(",") }
  } catch (error) {
    if (!(error instanceof InvalidMapping)) throw error
    const violations = [{ pointer: "/map", code: "mapping", detail: error.message }]
    throw new Problem("invalid-body", `The mapping is invalid: ${error.message}`, { violations })
  }
}
