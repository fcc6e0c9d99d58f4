import { formatTable } from './facts.ts'
import { PEERS } from './peers.ts'

console.log(formatTable(PEERS))
