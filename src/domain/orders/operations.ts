import type { Operations } from "../context.ts"
import type { orders } from "./contract.ts"
import { listOrders } from "./list.ts"
import { patchOrder } from "./patch.ts"
import { placeOrder } from "./place.ts"
import { getInventory, getOrderById } from "./read.ts"
import { deleteOrder } from "./remove.ts"

export const orderOperations: Operations<typeof orders> = {
  getInventory,
  placeOrder,
  listOrders,
  getOrderById,
  patchOrder,
  deleteOrder,
}
