import { argon2Passwords } from "../../src/core/crypto/argon2.ts"
import { passwordsConformance } from "./passwords/suite.ts"

passwordsConformance("argon2id", () => argon2Passwords({ memoryCost: 8, timeCost: 1, parallelism: 1 }))
