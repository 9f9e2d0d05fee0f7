import { idMax } from "../../kernel/schema/schema.ts"
import { word } from "./statement.ts"

/** One of the two directions of a list: the words that statements say it with, and the id that lies before all others. */
export type Direction = "ascending" | "descending"

export const directions = {
  ascending: { behind: word(">"), upTo: word("<="), order: word("ASC"), farthest: word("max"), start: 0 },
  descending: { behind: word("<"), upTo: word(">="), order: word("DESC"), farthest: word("min"), start: idMax + 1 },
}

/** What a statement says differently in each direction. */
export type Words = (typeof directions)[Direction]

/** A statement for each direction. */
export const inBothDirections = <S>(make: (words: Words) => S): Record<Direction, S> => ({
  ascending: make(directions.ascending),
  descending: make(directions.descending),
})

export const directionOf = (sort: string): Direction => (sort.startsWith("-") ? "descending" : "ascending")
