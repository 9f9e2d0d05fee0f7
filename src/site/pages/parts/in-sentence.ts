/** `Rex, Ada and 10 more`. */
export const inSentence = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
