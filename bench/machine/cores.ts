/** Arguments of taskset(1): servers run on one core, the load on the other. */
export const onServerCore = (...command: string[]): [string, string[]] => ["taskset", ["-c", "0", ...command]]
export const onLoadCore = (...command: string[]): [string, string[]] => ["taskset", ["-c", "1", ...command]]
