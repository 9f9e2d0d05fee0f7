import { aesSealing } from "../../src/crypto/aes-gcm.ts"
import { sealingConformance } from "./sealing/suite.ts"

sealingConformance("AES-GCM", aesSealing)
