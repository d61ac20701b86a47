import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { driverName, packRelease } from '#agent/updates/release-file.ts'

const root = join(import.meta.dirname, '..', '..')
const prebuilds = join(root, 'node_modules', '@serialport', 'bindings-cpp', 'prebuilds')

/** Builds of serialport's driver, by the platform and architecture of Node. */
const drivers = {
  'linux-x64': 'linux-x64/@serialport+bindings-cpp.glibc.node',
  'linux-arm64': 'linux-arm64/@serialport+bindings-cpp.armv8.glibc.node',
  'linux-arm': 'linux-arm/@serialport+bindings-cpp.armv7.glibc.node',
  'darwin-x64': 'darwin-x64+arm64/@serialport+bindings-cpp.node',
  'darwin-arm64': 'darwin-x64+arm64/@serialport+bindings-cpp.node',
  'win32-x64': 'win32-x64/@serialport+bindings-cpp.node',
} as const
export type DriverPlace = keyof typeof drivers
export const driverPlaces = Object.keys(drivers) as DriverPlace[]

export interface ProgramFile {
  name: string
  content: Uint8Array
}

/** The driver of serial ports for a computer, under the name by which the program loads it. */
export function driverFor(place: DriverPlace): ProgramFile {
  const [platform = '', arch = ''] = place.split('-')
  return { name: driverName(platform, arch), content: readFileSync(join(prebuilds, drivers[place])) }
}

/** A version of the agent: its program as one file without packages beside it, the launcher, and the licences of what is in them. */
export interface Program {
  version: string
  main: ProgramFile
  launcher: ProgramFile
  licences: ProgramFile
}

/** Builds a version. The same sources give the same bytes. */
export async function bundleAgent(version: string): Promise<Program> {
  const main = await bundle('main', version)
  const launcher = await bundle('launcher', version)
  const licences = { name: 'LICENSES.txt', content: Buffer.from(licencesOf([...main.modules, ...launcher.modules])) }
  return { version, main, launcher, licences }
}

/** The project's licence, and those of the packages that the modules are of. */
function licencesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((module) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module) ?? [])
  const texts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim()
    return `${name} ${version}\n\n${text}`
  })
  return `${['gettone-agent\n', readFileSync(join(root, 'LICENSE'), 'utf8').trim(), ...texts].join('\n\n')}\n`
}

interface Manifest {
  name: string
  version: string
  license: string
}

/** A version as the portal has it as firmware, for all computers of packages. */
export const releaseOf = ({ version, main, licences }: Omit<Program, 'launcher'>): Uint8Array =>
  packRelease({ version, node: 24, files: [main, licences, driverFor('linux-arm64'), driverFor('linux-x64')] })

async function bundle(name: 'main' | 'launcher', version: string): Promise<ProgramFile & { modules: string[] }> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [withDriver, withoutUnused, withVersion(version)],
    ssr: { noExternal: true },
    build: {
      ssr: `agent/${name}.ts`,
      write: false,
      target: 'node24',
      minify: true,
      rolldownOptions: { output: { entryFileNames: `${name}.mjs`, codeSplitting: false } },
    },
  })
  const [output] = 'output' in built ? built.output : []
  if (output?.type !== 'chunk') throw new Error(`agent/${name}.ts was not built.`)
  return { name: output.fileName, content: Buffer.from(output.code), modules: output.moduleIds }
}

/** Serialport looks for its driver in its package; the program has it beside itself. */
const withDriver: Plugin = {
  name: 'driver',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/bindings-cpp/dist/serialport-bindings.js')
      ? `import { createRequire } from 'node:module'
export const binding = createRequire(import.meta.url)(\`./${driverName('${process.platform}', '${process.arch}')}\`)`
      : undefined,
}

/** What mqtt.js loads without need: a copy of Node's streams, and transports that the agent does not use. */
const unused = ['ws', 'socks', 'worker-timers']

const withoutUnused: Plugin = {
  name: 'unused',
  enforce: 'pre',
  resolveId(id) {
    if (id === 'readable-stream') return { id: 'node:stream', external: true }
    return unused.includes(id) ? `\0unused` : undefined
  },
  load: (id) => (id === '\0unused' ? 'export default undefined' : undefined),
}

const withVersion = (version: string): Plugin => ({
  name: 'version',
  enforce: 'pre',
  load: (id) =>
    id === join(root, 'agent', 'version.ts') ? `export const agentVersion = ${JSON.stringify(version)}` : undefined,
})
