import { aesSealing } from "../../src/core/crypto/aes-gcm.ts"
import { sealingConformance } from "./sealing/suite.ts"

sealingConformance("AES-GCM", aesSealing)
