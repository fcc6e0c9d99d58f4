/*
 * Creates a project with the starter of each framework, copies the code of the
 * framework's page into it, and runs the starter's own checks. Arguments select
 * frameworks: `node .ci/starters.mjs vue solid`.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { each, env, read, root } from './each.mjs'

const FRAMEWORKS = 'docs/guide/in-your-framework.md'
const REACT = 'docs/recipes/react.md'

/**
 * `blocks`: a page, its section with the code, and the folder to copy it to.
 */
const STARTERS = {
  vite: {
    create: 'create-vite@latest app --template react-ts --no-interactive',
    blocks: [[REACT, 'React', 'src/']],
    check: 'npm run build && npm run lint',
  },
  sveltekit: {
    create:
      'sv create app --template minimal --types ts --no-add-ons --no-install',
    blocks: [[FRAMEWORKS, 'SvelteKit']],
    prepare: `echo '<h1>Id</h1>' > 'src/routes/users/[id=user]/+page.svelte'`,
    check: 'npm run check && npm run build',
  },
  vue: {
    create: 'create-vue@latest app --ts --eslint',
    blocks: [[FRAMEWORKS, 'Vue']],
    check: 'npm run build && npx eslint .',
  },
  solid: {
    create: 'create-vite@latest app --template solid-ts --no-interactive',
    blocks: [[FRAMEWORKS, 'Solid']],
    check: 'npm run build',
  },
  tanstack: {
    create: '@tanstack/create-start@latest app --no-install --no-git',
    blocks: [[FRAMEWORKS, 'TanStack Start']],
    check: 'npm run build && npx tsc --noEmit',
  },
  angular: {
    create: '@angular/cli@latest new app --skip-install --skip-git --defaults',
    blocks: [[FRAMEWORKS, 'Angular']],
    prepare: `cat > src/app/app.routes.ts <<'END'
import type { Routes } from '@angular/router'
import { User } from './user'

export const routes: Routes = [{ path: 'users/:id', component: User }]
END`,
    check: 'npm run build',
  },
  next: {
    create:
      'create-next-app@latest app --ts --eslint --app --no-tailwind --no-src-dir --yes --skip-install --disable-git',
    blocks: [[REACT, 'Next']],
    // Replaces the template's layout, which downloads Google's fonts.
    prepare: `cp ${root}/integrations/next/app/layout.tsx app/layout.tsx`,
    check: 'npm run build && npm run lint',
  },
  nest: {
    create:
      '@nestjs/cli@latest new app --skip-install --skip-git --package-manager npm',
    blocks: [['docs/guide/frameworks.md', 'NestJS', 'src/']],
    packages: '@nestjs/swagger class-transformer class-validator',
    check: 'npm run build && npm run lint',
  },
}

const BLOCK = /^`([^`\n]+)`\n\n```(\w+)[^\n]*\n(.*?)^```$/gms

/**
 * Returns the code blocks of a section that have a file name. Includes the
 * blocks above the first section, which all sections share.
 */
function blocksOf(page, section) {
  const [above, ...sections] = read(page).split(/^## /m)
  const text = sections.find((one) => one.startsWith(`${section}\n`))
  if (!text) throw new Error(`${page} has no section ${section}`)
  return [...`${above}\n${text}`.matchAll(BLOCK)]
}

const quiet = {
  ...env,
  CI: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NG_CLI_ANALYTICS: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
}
const folder = mkdtempSync(join(tmpdir(), 'starters-'))
const tarball = join(folder, 'typed-id.tgz')
const run = (cwd, command) =>
  execFileSync('bash', ['-ec', command], {
    cwd,
    env: quiet,
    stdio: 'pipe',
    timeout: 6e5,
  })

run(root, `npx --yes pnpm@12 --filter typed-id pack --out ${tarball}`)
const [, , ...names] = process.argv
await each(names.length > 0 ? names : Object.keys(STARTERS), (name) => {
  const { create, packages = '', blocks, prepare, check } = STARTERS[name]
  const app = join(folder, name, 'app')
  mkdirSync(dirname(app))
  run(dirname(app), `npx --yes ${create} </dev/null`)
  run(app, `npm install ${tarball} ${packages}`)
  for (const [page, section, under = ''] of blocks)
    for (const [, file, , code] of blocksOf(page, section)) {
      if (/^(package|tsconfig)\.json$/.test(file)) continue
      const path = join(app, under, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, code)
    }
  if (prepare) run(app, prepare)
  run(app, check)
})
rmSync(folder, { recursive: true, force: true })
