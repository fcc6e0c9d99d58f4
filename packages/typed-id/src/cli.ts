#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { main } from './cli/main.ts'

main(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    .version,
)
