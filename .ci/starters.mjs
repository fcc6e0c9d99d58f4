/*
 * Creates a project with the starter of each framework, copies the code from
 * typed-id's documentation of the framework into the project, and runs the
 * starter's own checks. Arguments select frameworks:
 * `node .ci/starters.mjs vue solid`.
 */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { each, env, read, root } from './each.mjs'

const FRAMEWORKS = 'docs/guide/in-your-framework.md'
const HONO = ['docs/guide/frameworks.md', 'Hono', 'src/']
const REACT = 'docs/recipes/react.md'

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
    // The template's layout would make the build depend on a download of
    // Google's fonts.
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
  nuxt: {
    needsGitHub: true,
    create:
      'create-nuxt@latest app --template minimal --no-install --no-gitInit --no-modules --packageManager npm',
    blocks: [[FRAMEWORKS, 'Nuxt']],
    packages: 'vue-tsc typescript@6',
    prepare: `mkdir app/pages && cat > app/pages/index.vue <<'END'
<script setup lang="ts">
import { UserId } from '../../src/ids'

const path = \`/api/users/\${UserId.example}\`
const { data } = await useFetch<{ id: UserId }>(path)
</script>

<template>
  <h1 v-if="data">{{ UserId.toShort(data.id) }}</h1>
</template>
END`,
    check: 'npm run build && npx nuxt typecheck',
  },
  astro: {
    needsGitHub: true,
    create:
      'create-astro@latest app --template minimal --no-install --no-git --yes',
    blocks: [[FRAMEWORKS, 'Astro']],
    packages: '@astrojs/check typescript@6',
    check: 'npm run build && npx astro check',
  },
  reactRouter: {
    needsGitHub: true,
    create: 'create-react-router@latest app --no-install --no-git-init --yes',
    blocks: [[FRAMEWORKS, 'React Router']],
    prepare: `cat > app/routes.ts <<'END'
import { index, route } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('users/:id', 'routes/user.tsx'),
]
END`,
    check: 'npm run typecheck && npm run build',
  },
  hono: {
    needsGitHub: true,
    create: 'create-hono@latest app --template nodejs --pm npm --install',
    blocks: [HONO],
    packages: 'hono hono-openapi zod',
    check: 'npm run build && node dist/recipe.js',
  },
  workers: {
    needsGitHub: true,
    create:
      'create-hono@latest app --template cloudflare-workers --pm npm --install',
    blocks: [HONO],
    packages: 'hono hono-openapi zod typescript',
    prepare: `echo "export { app as default } from './recipe'" > src/index.ts`,
    check:
      'npm run cf-typegen && npx tsc --noEmit && npm run deploy -- --dry-run',
  },
}

const BLOCK = /^`([^`\n]+)`\n\n```(\w+)[^\n]*\n(.*?)^```$/gms

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
const tarball = process.env.TYPED_ID_TARBALL ?? join(folder, 'typed-id.tgz')
const run = (cwd, command) =>
  execFileSync('bash', ['-ec', command], {
    cwd,
    env: quiet,
    stdio: 'pipe',
    timeout: 6e5,
  })

if (!existsSync(tarball))
  run(root, `npx --yes pnpm@12 --filter typed-id pack --out ${tarball}`)
const [, , ...selected] = process.argv
const names = selected.length > 0 ? selected : Object.keys(STARTERS)
const gitHub = await fetch('https://github.com').catch(() => undefined)
const canCreate = (name) => gitHub || !STARTERS[name].needsGitHub
for (const name of names.filter((name) => !canCreate(name)))
  console.log(`skipped: ${name}, because GitHub is not reachable`)
await each(names.filter(canCreate), (name) => {
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
