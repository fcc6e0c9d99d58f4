import { table } from './facts.ts'
import { PEERS } from './peers.ts'

console.log(table(PEERS))
