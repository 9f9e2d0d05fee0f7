import type { Dialect } from "../dialect.ts"

/** Hashes of what these records are: NULL for one that was written before this migration, until a round fills it in. */
export const up = ({ name }: Dialect) => [
  ...Object.keys(changed).map((table) => `ALTER TABLE ${table} ADD COLUMN text_hash TEXT`),
  ...(name === "postgres" ? forgotten() : []),
]

/** What the previous version writes when it changes a record. The kinds of events of a webhook are written with its URL. */
const changed = {
  accounts: "name, plan",
  keys: "revoked_at, rotated_at, expires_at",
  oauth_clients: "name, redirect_uris, scopes, id_token_alg, secret_hash",
  webhooks: "url, deleted_at",
}

/** The previous version, which may run beside this one, changes a record without its hash: a wrong hash would look like damage. */
const forgotten = () =>
  Object.entries(changed).map(
    ([table, columns]) => `
      CREATE TRIGGER ${table}_forget_text_hash BEFORE UPDATE OF ${columns} ON ${table} FOR EACH ROW
      WHEN (NEW.text_hash IS NOT DISTINCT FROM OLD.text_hash)
      EXECUTE FUNCTION forget_text_hash()`,
  )
