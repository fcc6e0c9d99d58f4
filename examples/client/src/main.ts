/**
 * Registers a team and users, and lists them page by page:
 *
 *     node src/main.ts a http://127.0.0.1:3000
 */
import { walkA } from './profile-a.ts'
import { walkB } from './profile-b.ts'

const [profile = 'a', url = 'http://127.0.0.1:3000'] = process.argv.slice(2)

for await (const line of profile === 'b' ? walkB(url) : walkA(url)) console.log(line)
