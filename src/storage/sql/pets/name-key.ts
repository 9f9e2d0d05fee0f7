/** What a pet is sorted and found by: its name in lower case. A sigma is one letter, wherever in a word it stands. */
export const nameKey = (name: string): string => name.toLowerCase().replaceAll("ς", "σ")

/** The least key above all that begin with `prefix`, in the order of code points; above every key when that is empty. */
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
