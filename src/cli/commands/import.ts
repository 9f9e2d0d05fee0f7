import type { Command } from "../command/command.ts"

export const importFile: Command = {
  name: "import",
  summary: "Add the pets of an NDJSON, CSV or JSON file",
  description:
    "The file is NDJSON (one JSON object per line), a JSON array or objects over several lines, an object that contains pets " +
    "(db.json of json-server), or CSV with column names in the first line. The mapping of the columns is printed; --dry-run also prints the first pets. To continue an interrupted import, run the same command again: no " +
    "line is lost or stored twice. Progress is stored per file, service and store in your state directory " +
    "($XDG_STATE_HOME/petstore, otherwise ~/.local/state/petstore) until you start over with --again; a sandbox that was reset is " +
    "a different store. Pets are sent in batches, each with an Idempotency-Key derived from the file, which the service keeps for " +
    "24 hours. After that, lines of batches whose response is unknown are held back and reported until --resend. You can correct, " +
    "add and remove lines between runs. Refused lines are listed in a file whose name is printed at the end, and the exit code is " +
    "1. Pets keep the ids in the file.",
  endsItself: true,
  whenInterrupted: "Interrupted. Run the same command again to continue.",
  arguments: [
    {
      name: "file",
      meaning: "The file, in UTF-8 or UTF-16; - is standard input, which can be continued only with --state",
    },
  ],
  flags: [
    { name: "dry-run", meaning: "Validate every line, print the first pets, and send nothing" },
    { name: "new-ids", meaning: "Assign new ids and ignore those in the file" },
    {
      name: "map",
      value: "TITLE=COLUMN",
      many: true,
      meaning: "Read a column of CSV, or a member of JSON objects, as this one: species=category; =nothing ignores it",
    },
    {
      name: "columns",
      value: "TITLE,…",
      meaning: "Titles of the columns of CSV whose first line is a pet: name,type,status",
    },
    { name: "again", meaning: "Discard the stored progress and start over" },
    { name: "resend", meaning: "Send lines whose response is unknown, even if they may be stored already" },
    { name: "report", value: "PATH", meaning: "File for refused lines (default: next to the progress)" },
    { name: "state", value: "PATH", meaning: "File for the progress (default: in your state directory)" },
  ],
  async run(input, world) {
    // Loaded on first use: the validator of pets takes longer to load than all other commands.
    const { runImport } = await import("../import/run-import.ts")
    return runImport(input, world)
  },
}
