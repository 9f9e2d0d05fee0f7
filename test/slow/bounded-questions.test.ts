// Runs in a process of its own.
import assert from "node:assert/strict"
import { join } from "node:path"
import { type DatabaseSync, StatementSync } from "node:sqlite"
import { after, before, test } from "node:test"
import { type Row, type Statement, statements } from "../../src/core/sql/statement.ts"
import { sqliteDialect } from "../../src/core/sqlite/dialect.ts"
import "../../src/core/sql/store.ts"
import { temporaryDirectory } from "../harness/directory.ts"
import { largeDatabase, rows } from "../harness/large-store.ts"

/** Maximum steps of SQLite's machine for a query of ten rows; reading a row takes about ten, with the values for its hash some thirty. */
const stepsMax = 5000

/** Times, ids and positions: the first, one in the middle, one after all. */
const anywhere = [1, rows / 2, rows + 100]
const statuses = ["available", "pending", "sold", "placed", "approved", "delivered"]

/** The values for each name, in every combination. A statement with a new name needs a line here. */
const bound: Record<string, readonly (string | number | null)[]> = {
  account: [1, 2, 4999],
  accountId: [1, 2, 4999],
  action: ["key.created", "key.revoked"],
  after: anywhere,
  allowedCidrs: [""],
  response: [""],
  at: anywhere,
  attemptId: [1],
  averageMs: [1],
  before: anywhere,
  blob: ["fresh"],
  blobs: [JSON.stringify(["b1", `b${rows / 4}`, "none"])],
  bytes: [1],
  bytesMax: [1, 10_000],
  categories: [JSON.stringify(["c1"])],
  categoryId: [1],
  change: [1],
  checkedAt: [1],
  claim: [0],
  claims: [0],
  clientId: ["c1", "none"],
  consumedAt: [null],
  count: [1],
  createdAt: [1],
  deletedBefore: anywhere,
  deliveryId: [1, rows / 2],
  description: [""],
  disabledReason: [null],
  doubtedSince: [null],
  dueAt: [null, 1],
  durationMs: [1],
  end: ["", "n1", "n2", "o"],
  endsAt: [1],
  endsBy: [null],
  error: [null],
  etag: ["e"],
  eventId: [rows],
  expiresAt: [1],
  failingSince: [null],
  fingerprint: ["f"],
  first: [rows - 60, rows],
  from: [1, rows / 2, rows + 1],
  fromMinute: [0],
  grantId: ["g1", "none"],
  hash: ["h1", "fresh"],
  id: [1, 2, 3, rows / 2, rows + 100],
  holder: ["a"],
  ids: [`[1,2,${rows / 2}]`],
  json: ["{}"],
  kept: ['["s1"]'],
  key: ["k1", "fresh", "n", "n15", "n5", "o"],
  kid: ["fresh"],
  labelId: [1, 2, 3, 4],
  kind: ["AccessToken", "pet.created"],
  lane: ["new", "slow"],
  last: [rows - 60, rows],
  leaseEnd: [rows + 1],
  limit: [10],
  max: [20],
  minute: [1],
  nameKey: ["n1"],
  names: ['["tag1","fresh"]'],
  name: ["pets", "tag1", "fresh"],
  notBefore: [1],
  now: anywhere,
  offsets: ["[]"],
  ordered: [0],
  others: ["[2]", "[1,3]"],
  passwordHash: [""],
  position: anywhere,
  petId: [1, 2, rows + 100],
  placedAt: [1],
  plan: ["free"],
  previousUntil: [1],
  principal: ["key:1", "unknown"],
  profile: ["sandbox"],
  publicUrl: ["http://127.0.0.1:8080"],
  redirectUris: ["[]"],
  reservesPet: [0, 1],
  idTokenAlg: ["ES256"],
  scope: [""],
  scopes: [""],
  sealed: [""],
  secretHash: [""],
  sha256: ["s1", "s2", "fresh"],
  since: anywhere,
  slot: [0],
  state: ["pending", "delivered"],
  states: [JSON.stringify(["failed"]), JSON.stringify(["pending", "delivered", "failed"])],
  status: ["available", "sold", "active", 200],
  status1: ["available", "sold"],
  status2: [null, "pending"],
  status3: [null, "sold"],
  statuses: [JSON.stringify(["placed"]), JSON.stringify(statuses)],
  step: [0],
  storeId: ["fresh"],
  tagId: [9],
  tagIds: ["[4,5,6]"],
  petIds: ["[4,5,6]"],
  thing: ["key:1", "nothing"],
  to: [201],
  trustedAt: [1],
  type: [""],
  uid: ["uid1"],
  upTo: [rows - 50],
  url: [""],
  userId: [1, rows / 8],
  value: ["fresh"],
  waitingSince: [1],
  wanted: [JSON.stringify(["sold"]), JSON.stringify(statuses), '["tag2"]', '["tag1","tag2","tag3"]'],
  webhookId: [1, 2, 3, 4, 3999],
}

/** Statements that take longer, and what bounds them instead. */
const exceptions: { begins: string; because: string }[] = [
  {
    begins: 'SELECT account_id AS "accountId", minute, count, offsets FROM limit_cells WHERE account_id = ?',
    because: "a day has 1440 minutes",
  },
  {
    begins: 'SELECT account_id AS "accountId", sum(count) AS "count" FROM limit_cells WHERE minute >= ?',
    because: "runs before the first response, and finds something only when the clock was set back",
  },
  { begins: "DELETE FROM limit_cells WHERE minute > ?", because: "likewise" },
  { begins: "DELETE FROM oauth_records WHERE client_id = ?", because: "ends what one application was given, once" },
  { begins: "DELETE FROM oauth_records WHERE grant_id = ?", because: "ends what one consent allowed, once" },
  { begins: "DELETE FROM oauth_records WHERE user_id = ?", because: "ends what one person allowed, once" },
  ...["DELETE FROM leases", "DELETE FROM replicas", 'SELECT count(*) AS "count" FROM replicas'].map((begins) => ({
    begins,
    because: "there are as many as there are processes and kinds of work",
  })),
  {
    begins:
      "DELETE FROM oauth_records WHERE (kind, hash) IN ( SELECT kind, hash FROM ( SELECT kind, hash, row_number()",
    because: "runs with each sign-in of a person, and leaves twenty",
  },
]

const directory = temporaryDirectory()
let db: DatabaseSync
before(async () => {
  db = await largeDatabase(join(directory.path, "large.db"))
})
after(() => {
  db.close()
  directory[Symbol.dispose]()
})

type Counted = StatementSync & { stat(counter: "vmStep"): number; resetStats(): void }

test("no query grows with a table", {
  skip: !canCount() && "this Node cannot count SQLite's steps",
}, () => {
  const unused = new Set(exceptions)
  const broken: string[] = []
  for (const statement of statements) {
    const text = statement.text(sqliteDialect).replace(/\s+/g, " ").trim()
    const exception = exceptions.find(({ begins }) => text.startsWith(begins))
    const steps = mostSteps(statement, text)
    const counts = walksUncounted(text)
    if (typeof steps === "number" && steps <= stepsMax && !counts) continue
    if (exception === undefined)
      broken.push(
        `${steps}${typeof steps === "number" ? " steps" : ""}${counts ? ", and walks a whole table" : ""}: ${text}`,
      )
    else unused.delete(exception)
  }
  assert.deepEqual(broken, [])
  assert.deepEqual([...unused], [], "an exception that is not needed hides the next one that is")
})

test("the measurement detects a scanned table, and one that is sorted or counted", { skip: !canCount() }, () => {
  assert.ok(steps("SELECT id FROM pets WHERE json = ''", []) > rows)
  assert.ok(
    steps("SELECT id FROM pets WHERE id IN (SELECT pet_id FROM pet_tags WHERE tag_id = ?) LIMIT 10", [1]) > rows,
  )
  assert.ok(walksUncounted("SELECT count(*) FROM pets"))
})

/** The maximum steps of any combination of values, or why none can be run. */
function mostSteps({ names }: Statement<Row, unknown>, text: string): number | string {
  let most = -1
  let failure: unknown
  for (const values of combinations([...new Set(names)]))
    try {
      most = Math.max(
        most,
        steps(
          text,
          names.map((name) => values.get(name) as string),
        ),
      )
    } catch (error) {
      failure = error
    }
  return most < 0 ? String(failure) : most
}

/** The steps of a statement, whose changes are rolled back. */
function steps(text: string, values: (string | number | null)[]): number {
  const statement = db.prepare(text) as Counted
  db.exec("BEGIN")
  try {
    statement.resetStats()
    statement.all(...values)
    return statement.stat("vmStep")
  } finally {
    db.exec("ROLLBACK")
  }
}

/** SQLite counts and empties a whole table in one step. */
const walksUncounted = (text: string): boolean =>
  db
    .prepare(`EXPLAIN ${text}`)
    .all()
    .some(({ opcode }) => opcode === "Count" || opcode === "Clear")

function combinations([name, ...others]: readonly string[]): Map<string, string | number | null>[] {
  if (name === undefined) return [new Map()]
  // A repair names values like their columns, and writes them as they are.
  const values = bound[name] ?? (name.includes("_") ? [1] : undefined)
  assert.ok(values, `say in \`bound\` what to bind to ${name}`)
  const rest = combinations(others)
  return values.flatMap((value) => rest.map((more) => new Map([[name, value], ...more])))
}

/** Before Node 26 the counters of a statement cannot be read. */
function canCount(): boolean {
  return "stat" in StatementSync.prototype
}
