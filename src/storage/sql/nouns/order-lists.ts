import type { Order } from "../../../domain/orders/contract.ts"
import type { OrderFilter } from "../../../domain/orders/store.ts"
import type { Awaitable } from "../../../kernel/flow/awaitable.ts"
import type { Json } from "../../../kernel/json/json.ts"
import { type PageById, type PageOf, pageOf } from "../../../kernel/page.ts"
import { type Direction, directionOf, directions, inBothDirections } from "../direction.ts"
import { type Connection, elements, type Part, part, type Row, sql } from "../statement.ts"

// Takes the first orders of each status and the first of those, so that nothing behind them is read.
const listOf = <More extends Row>(condition: Part<More>) =>
  inBothDirections(
    ({ behind, order }) => sql<ListRow & More, ListedRow>`
  SELECT id, json FROM orders
  WHERE id IN (
    SELECT first.id FROM (${elements("statuses")}) AS wanted JOIN orders AS first ON first.id IN (
      SELECT id FROM orders
      WHERE ${condition} status = wanted.value AND id ${behind} ${"behind"}
      ORDER BY id ${order} LIMIT ${"limit"}
    )
  )
  ORDER BY id ${order} LIMIT ${"limit"}`,
  )

const all = listOf(part<Row>``)
const ofAccount = listOf(part<{ accountId: number }>`account_id = ${"accountId"} AND`)
const ofPet = listOf(part<{ petId: number }>`pet_id = ${"petId"} AND`)
const ofPetAndAccount = listOf(
  part<{ petId: number; accountId: number }>`pet_id = ${"petId"} AND account_id = ${"accountId"} AND`,
)

type ListRow = { statuses: string; behind: number; limit: number }
type ListedRow = { id: number; json: Json<Order> }

/** A page of the orders of a pet, an account, both or all. */
export async function listOrders(
  db: Connection,
  { accountId, petId, statuses }: OrderFilter,
  { sort, behind, limit }: PageById,
): Promise<PageOf<Json<Order>>> {
  const direction = directionOf(sort)
  const wanted = { statuses: JSON.stringify(statuses), behind: behind ?? directions[direction].start, limit: limit + 1 }
  const rows = await listRows(db, direction, wanted, petId, accountId)
  return pageOf(rows, limit, (row) => row.json)
}

function listRows(
  db: Connection,
  direction: Direction,
  wanted: ListRow,
  petId?: number,
  accountId?: number,
): Awaitable<ListedRow[]> {
  if (petId !== undefined && accountId !== undefined)
    return db.all(ofPetAndAccount[direction], { ...wanted, petId, accountId })
  if (petId !== undefined) return db.all(ofPet[direction], { ...wanted, petId })
  return accountId === undefined
    ? db.all(all[direction], wanted)
    : db.all(ofAccount[direction], { ...wanted, accountId })
}
