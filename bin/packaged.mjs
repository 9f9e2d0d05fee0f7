#!/usr/bin/env node
// The command of the published package: runs what was built from the source.
import { runPetstore } from "./runtime.mjs"

runPetstore("dist")
