/**
 * Escapes characters that move a terminal's cursor, change colours or direction, or hide text. Keeps the two joiners that emoji
 * and several scripts need.
 */
export const visible = (text: string): string => text.replace(/(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu, escapeUnits)

const escapeUnits = (character: string): string =>
  character.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/**
 * Whether a text shows anything: not only white space, controls, format characters, the fillers of Hangul and others that
 * Unicode ignores by default (UAX #44, Default_Ignorable_Code_Point), and blank Braille.
 */
export const isVisible = (text: string): boolean => /[^\p{Cc}\p{Cf}\p{Z}\p{DI}\u2800]/u.test(text)
