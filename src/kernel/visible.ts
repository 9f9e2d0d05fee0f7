/**
 * Escapes what could move a terminal's cursor, change its colours, turn the direction of text around or hide it. The two joiners
 * stay as they are: emoji and several scripts need them.
 */
export const visible = (text: string): string => text.replace(/(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu, escapeUnits)

const escapeUnits = (character: string): string =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
