#!/usr/bin/env node
// The command of the published package: runs the build.
import { runPetstore } from "./runtime.mjs"

runPetstore("dist")
