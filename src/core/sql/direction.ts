import { idMax } from "../kernel/schema/schema.ts"
import { word } from "./statement.ts"

/** The direction of a list: its words in statements, and the id before all others. */
export type Direction = "ascending" | "descending"

export const directions = {
  ascending: { beyond: word(">"), upTo: word("<="), order: word("ASC"), farthest: word("max"), start: 0 },
  descending: { beyond: word("<"), upTo: word(">="), order: word("DESC"), farthest: word("min"), start: idMax + 1 },
}

export type Words = (typeof directions)[Direction]

export const inBothDirections = <S>(make: (words: Words) => S): Record<Direction, S> => ({
  ascending: make(directions.ascending),
  descending: make(directions.descending),
})

export const directionOf = (sort: string): Direction => (sort.startsWith("-") ? "descending" : "ascending")
