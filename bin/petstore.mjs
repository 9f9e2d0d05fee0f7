#!/usr/bin/env node
import { fileURLToPath } from "node:url"
import { install, run } from "./runtime.mjs"

const [command, ...rest] = process.argv.slice(2)
const source = (path) => fileURLToPath(new URL(`../src/${path}`, import.meta.url))

install({ forTests: false })
run(command === "serve" ? [source("main.ts"), ...rest] : [source("cli/main.ts"), ...process.argv.slice(2)])
