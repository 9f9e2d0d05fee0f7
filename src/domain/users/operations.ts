import type { Operations } from "../context.ts"
import type { users } from "./contract.ts"
import { grantRole } from "./grant.ts"
import { listUsers } from "./list.ts"
import { getUserByName } from "./read.ts"
import { createUser } from "./register.ts"
import { createUsersWithListInput } from "./register-list.ts"
import { deleteUser } from "./remove.ts"
import { updateUser } from "./replace.ts"
import { resetPassword } from "./reset-password.ts"

export const userOperations: Operations<typeof users> = {
  createUser,
  createUsersWithListInput,
  listUsers,
  getUserByName,
  updateUser,
  deleteUser,
  resetPassword,
  grantRole,
}
