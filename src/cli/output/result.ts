import type { World } from "../command/command.ts"

/** Prints a result: as JSON with `--json`, otherwise in words. */
export const printResult = ({ terminal, json }: World, result: unknown, words: string): void =>
  terminal.out(json ? `${JSON.stringify(result)}\n` : words)
