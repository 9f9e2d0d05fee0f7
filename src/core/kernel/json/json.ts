declare const holds: unique symbol

/** JSON text of a `T`: stored responses reach the client without being parsed and serialised again. */
export type Json<T> = string & { readonly [holds]: T }

export const json = <T>(value: T): Json<T> => JSON.stringify(value) as Json<T>

/** Parses JSON text made by `json`. */
export const fromJson = <T>(text: Json<T>): T => JSON.parse(text)

export const jsonArray = <T>(items: readonly Json<T>[]): Json<T[]> => `[${items.join(",")}]` as Json<T[]>
