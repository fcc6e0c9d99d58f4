/**
 * Registers a team and users, and lists the users page by page:
 *
 *     node src/main.ts a http://127.0.0.1:3000
 */
import { runProfileA } from './profile-a.ts'
import { runProfileB } from './profile-b.ts'

const [profile = 'a', url = 'http://127.0.0.1:3000'] = process.argv.slice(2)

for await (const line of profile === 'b' ? runProfileB(url) : runProfileA(url)) console.log(line)
