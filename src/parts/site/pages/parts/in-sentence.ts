const list = new Intl.ListFormat("en-GB")

/** `Rex, Ada and 10 more`. */
export const inSentence = (words: readonly string[]): string => list.format(words)
