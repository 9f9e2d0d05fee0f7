import { command } from "../../program.ts"
import { type Command, type Flag, type OwnCommand, UsageError } from "../command/command.ts"
import { completionScripts } from "../completion/scripts.ts"
import { listCompletions } from "../completion/table.ts"

const shells = Object.keys(completionScripts)

/** Prints the completion script for `commands`, which include this one. */
export const createCompletion = (commands: () => readonly Command[], globalFlags: readonly Flag[]): OwnCommand => ({
  name: "completion",
  summary: "Print the completion script of a shell",
  description:
    `Completes commands, flags, and flag values of a fixed set. For bash, run \`source <(${command} completion bash)\`, in ` +
    "~/.bashrc with the full path; for zsh the same with zsh, or write the output to a file `_petstore` in a directory of " +
    "$fpath; for fish, to ~/.config/fish/completions/petstore.fish.",
  arguments: [{ name: "shell", meaning: shells.join(", "), choices: shells }],

  async run({ arguments: { shell } }, { terminal }) {
    const format = shells.includes(shell as string) && completionScripts[shell as keyof typeof completionScripts]
    if (!format) throw new UsageError(`<shell> must be ${shells.join(", ")}`)
    terminal.out(format(listCompletions(commands(), globalFlags)))
    return 0
  },
})
