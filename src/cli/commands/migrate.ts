import { type Command, UsageError } from "../command.ts"

/** Here for the help only: the launcher runs `petstore migrate` as src/operator/migrate.ts. */
export const migrate: Command = {
  name: "migrate",
  summary: "Bring the database up to date without serving",
  description:
    "Takes no flags; the database is the one of PETSTORE_DATABASE_URL. A service does the same when it starts: this is for " +
    "those who want to do it before.",
  arguments: [],
  flags: [],
  run: async () => {
    throw new UsageError("the database is brought up to date by the launcher: petstore migrate")
  },
}
