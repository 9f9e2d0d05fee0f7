/** The key for sorting and finding a pet: its name in lower case, with one form of sigma. */
export const nameKey = (name: string): string => name.toLowerCase().replaceAll("ς", "σ")

/** The smallest key above all that start with `prefix`, by code points; above every key when it is empty. */
export function keyAbove(prefix: string): string {
  const characters = [...prefix]
  while (characters.length > 0) {
    const last = characters.pop()?.codePointAt(0) as number
    if (last < highest)
      return characters.join("") + String.fromCodePoint(last === lastBelowSurrogates ? 0xe000 : last + 1)
  }
  return String.fromCodePoint(highest).repeat(nameCharactersMax + 1)
}

const highest = 0x10ffff
const lastBelowSurrogates = 0xd7ff
const nameCharactersMax = 255
