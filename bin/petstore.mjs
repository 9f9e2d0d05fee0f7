#!/usr/bin/env node
import { fileURLToPath } from "node:url"
import { install, run, serviceFlags } from "./runtime.mjs"

const given = process.argv.slice(2)
const source = (path) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

install({ forTests: false })
run(given.join(" ") === "serve" ? [...serviceFlags, source("main.ts")] : [source("cli/main.ts"), ...given])
