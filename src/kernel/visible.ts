/**
 * Escapes characters that move a terminal's cursor, change colours or direction, or hide text. Keeps the two joiners that emoji
 * and several scripts need.
 */
export const visible = (text: string): string => text.replace(/(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu, escapeUnits)

const escapeUnits = (character: string): string =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
