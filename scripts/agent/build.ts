// npm run build:agent: the package gettone-agent in dist/agent, ready for `npm pack`. The agent's own code is in one file; its packages are installed beside it.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { agentVersion } from '#agent/version.ts'
import project from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'dist', 'agent')
/** Packages that the agent uses, in the project's versions. */
const packages = ['mqtt', 'serialport', 'zod'] as const

const manifest = {
  name: 'gettone-agent',
  version: agentVersion,
  description: 'Reads vending machines over DEX and DDCMP for a Gettone portal',
  license: project.license,
  type: 'module',
  engines: project.engines,
  bin: { 'gettone-agent': './main.js' },
  files: ['main.js', 'README.md', 'gettone-agent.service'],
  dependencies: Object.fromEntries(packages.map((name) => [name, project.dependencies[name]])),
}

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  ssr: { noExternal: true, external: [...packages] },
  build: {
    ssr: 'agent/main.ts',
    outDir: folder,
    emptyOutDir: true,
    target: 'node24',
    rolldownOptions: { output: { entryFileNames: 'main.js' } },
  },
})
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
for (const name of ['README.md', 'gettone-agent.service'])
  copyFileSync(join(root, 'deploy', 'agent', name), join(folder, name))
console.info(`Built gettone-agent ${agentVersion} in dist/agent`)
