import type { Operations } from "../../context.ts"
import type { sessions } from "./contract.ts"
import { logIn, loginUser } from "./log-in.ts"
import { logOut, logoutUser } from "./log-out.ts"

export const sessionOperations: Operations<typeof sessions> = { logIn, loginUser, logOut, logoutUser }
