import type { Command } from "../../src/cli/command/command.ts"

/** A command with this name that does nothing. */
export const command = (name: string, more: Partial<Command> = {}): Command => ({
  name,
  summary: "",
  arguments: [],
  flags: [],
  run: async () => 0,
  ...more,
})
