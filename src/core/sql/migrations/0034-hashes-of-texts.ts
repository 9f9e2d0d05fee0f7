import type { Dialect } from "../dialect.ts"

/** Hashes of texts, which show damage: NULL for a text that was written before this migration, until a round fills it in. */
export const up = ({ name }: Dialect) => [
  ...["orders", "users", "events"].map((table) => `ALTER TABLE ${table} ADD COLUMN text_hash TEXT`),
  ...(name === "postgres" ? forgotten : []),
]

/** The previous version, which may run beside this one, changes a text without its hash: a wrong hash would look like damage. */
const forgotten = [
  `CREATE FUNCTION forget_text_hash() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     NEW.text_hash := NULL;
     RETURN NEW;
   END $$`,
  ...["orders", "users"].map(
    (table) => `
      CREATE TRIGGER ${table}_forget_text_hash BEFORE UPDATE OF json ON ${table} FOR EACH ROW
      WHEN (NEW.json IS DISTINCT FROM OLD.json AND NEW.text_hash IS NOT DISTINCT FROM OLD.text_hash)
      EXECUTE FUNCTION forget_text_hash()`,
  ),
]
