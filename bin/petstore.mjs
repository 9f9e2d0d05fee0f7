#!/usr/bin/env node
// The command of a checkout: installs missing packages and runs the source.
import { install } from "./install.mjs"
import { runPetstore } from "./runtime.mjs"

install({ forTests: false })
runPetstore("src")
