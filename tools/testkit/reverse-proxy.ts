import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { folderForTest } from './engines.ts'
import { freePorts } from './ports.ts'
import { collect } from './process.ts'

/**
 * Starts an installed program, and kills it at the end of the test. Returns a function that returns the output of the
 * program so far. Throws an error that names the Debian package if the program is not installed.
 */
export function startProgram(
  path: string,
  debianPackage: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): () => string {
  if (!existsSync(path)) throw new Error(`${path} not found: apt-get install ${debianPackage}`)
  const child = spawn(path, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collect(child.stdout, child.stderr)
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return output
}

/** The port of the proxy, a second free port, the port of the service, and a folder for files of the proxy. */
export interface Setting {
  readonly port: number
  readonly secondPort: number
  readonly target: number
  readonly folder: string
}

interface Program {
  readonly path: string
  readonly debianPackage: string
  /** Returns the arguments with which the program runs in the foreground. */
  args(file: string, folder: string): string[]
}

const PROGRAMS = {
  nginx: {
    path: '/usr/sbin/nginx',
    debianPackage: 'nginx-light',
    args: (file, folder) => ['-c', file, '-p', folder, '-e', 'stderr'],
  },
  HAProxy: { path: '/usr/sbin/haproxy', debianPackage: 'haproxy', args: (file) => ['-db', '-f', file] },
} as const satisfies Record<string, Program>

export type ProxyName = keyof typeof PROGRAMS

/** Returns a main configuration of nginx around its `http` context. nginx runs without a daemon and without root. */
export const nginxMain = (folder: string, http: string): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${http}
}
`

/** Starts a proxy in front of the service, and waits until it serves `healthPath`. The proxy ends with the test. */
export async function startProxy(
  name: ProxyName,
  target: number,
  configure: (setting: Setting) => { readonly text: string; readonly env?: Record<string, string> },
  healthPath: string,
) {
  const { path, debianPackage, args } = PROGRAMS[name]
  const folder = await folderForTest()
  const [port = 0, secondPort = 0] = await freePorts(2)
  const file = join(folder, 'proxy.conf')
  const { text, env } = configure({ port, secondPort, target, folder })
  await writeFile(file, text)
  const folders = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const output = startProgram(path, debianPackage, args(file, folder), {
    PATH: process.env.PATH,
    ...folders,
    ...env,
  })
  const url = `http://127.0.0.1:${port}`
  const status = () =>
    fetch(url + healthPath).then(
      (response) => response.status,
      () => `no response: ${output()}`,
    )
  await expect.poll(status).toBe(200)
  const accessLog = join(folder, 'access.log')
  return {
    url,
    port,
    /** Returns everything that the proxy has printed, and written into access.log in its folder. */
    output: () => output() + (existsSync(accessLog) ? readFileSync(accessLog, 'utf8') : ''),
  }
}
