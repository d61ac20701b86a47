// npm run build:agent: in dist/agent the package of npm, ready for `npm pack`, those of Debian, and the version as firmware for the portal.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentVersion } from '#agent/version.ts'
import project from '../../package.json' with { type: 'json' }
import { bundleAgent, driverFor, driverPlaces, releaseOf } from './bundle.ts'
import { architectures, buildDebianPackage, hasDpkg } from './debian.ts'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'dist', 'agent')
const npmFolder = join(folder, 'npm')
const documents = ['README.md', 'gettone-agent.service']

const program = await bundleAgent(agentVersion)
const files = [program.main, program.launcher, program.licences, ...driverPlaces.map(driverFor)]
const manifest = {
  name: 'gettone-agent',
  version: agentVersion.split('.').slice(0, 3).join('.'),
  description: 'Reads vending machines over DEX and DDCMP for a Gettone portal',
  license: project.license,
  type: 'module',
  engines: project.engines,
  bin: { 'gettone-agent': './launcher.mjs' },
  files: [...files.map(({ name }) => name), ...documents],
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(npmFolder, { recursive: true })
for (const { name, content } of files) writeFileSync(join(npmFolder, name), content)
writeFileSync(join(npmFolder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
for (const name of documents) copyFileSync(join(root, 'deploy', 'agent', name), join(npmFolder, name))
writeFileSync(join(folder, `gettone-agent_${agentVersion}.release`), releaseOf(program))
if (hasDpkg) for (const architecture of architectures) buildDebianPackage(program, architecture, folder)
else console.warn('dpkg-deb is missing: no packages of Debian were built')
console.info(`Built gettone-agent ${agentVersion} in dist/agent`)
