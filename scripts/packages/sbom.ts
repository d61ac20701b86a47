// npm run sbom: writes dist/sbom.cdx.json, a CycloneDX list of the packages that run in production.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isTest, packageOf, root, sources } from '../../checks/sources.ts'

export interface Lock {
  packages: Record<string, LockedPackage>
}
interface LockedPackage {
  name?: string
  version?: string
  integrity?: string
  license?: string
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** Its data is drawn into the portal when it is built. */
const drawn = ['world-atlas']

/** Packages of our own imports in production: of the server, and of the pages, into which they are built. */
export const rootPackages = (own: LockedPackage): string[] => [
  ...new Set([
    ...Object.keys({ ...own.dependencies, ...own.optionalDependencies }),
    ...sources()
      .filter(({ path, folder }) => folder === 'portal' && !isTest(path))
      .flatMap(({ imports }) => imports.filter(({ isType, file }) => !isType && file === undefined))
      .map(({ from }) => packageOf(from))
      .filter((name) => !/^(node|virtual):/.test(name)),
    ...drawn,
  ]),
]

/** Where Node finds a package from the folder of another; undefined for an optional package that is not locked. */
function placeOf({ packages }: Lock, name: string, from: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[place]) return place
    if (at === '') return undefined
  }
}

/** Packages that a package needs, by their places. An optional peer is not needed. */
function neededBy(lock: Lock, place: string, names?: readonly string[]): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = lock.packages[place] ?? {}
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  const needed = names ?? [...peers, ...Object.keys({ ...optionalDependencies, ...dependencies })]
  return needed.flatMap((name) => placeOf(lock, name, place) ?? [])
}

const nameOf = (lock: Lock, place: string) =>
  lock.packages[place]?.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

const refOf = (lock: Lock, place: string) => `${nameOf(lock, place)}@${lock.packages[place]?.version}`

function hashOf(integrity: string | undefined) {
  const [, algorithm, digest] = /^sha(256|384|512)-(\S+)/.exec(integrity ?? '') ?? []
  if (!algorithm || !digest) return undefined
  return [{ alg: `SHA-${algorithm}`, content: Buffer.from(digest, 'base64').toString('hex') }]
}

/** SPDX: one licence has an id, several are an expression. */
const licenceOf = (text: string | undefined) => {
  if (!text) return undefined
  return [/^[\w.+-]+$/.test(text) ? { license: { id: text } } : { expression: text }]
}

function componentOf(lock: Lock, place: string) {
  const { version, integrity, license, optional } = lock.packages[place] ?? {}
  const name = nameOf(lock, place)
  return {
    type: 'library',
    'bom-ref': refOf(lock, place),
    name,
    version,
    scope: optional ? 'optional' : 'required',
    hashes: hashOf(integrity),
    licenses: licenceOf(license),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }
}

/**
 * The list of packages as CycloneDX 1.5. It follows from the lock file alone, without a time or a serial number: two runs on one commit write the same.
 * (`npm sbom --omit dev` leaves out each package that a tool needs too, such as pg and react.)
 */
export function sbomOf(lock: Lock, roots: readonly string[]) {
  const first = neededBy(lock, '', roots)
  const places = new Set(first)
  for (const place of places) for (const needed of neededBy(lock, place)) places.add(needed)
  const byRef = new Map([...places].map((place) => [refOf(lock, place), place]))
  const refs = [...byRef.keys()].sort()
  const own = lock.packages[''] ?? {}
  const product = { ref: `${own.name}@${own.version}`, purl: `pkg:npm/${own.name}@${own.version}` }
  const dependsOn = (from: readonly string[]) => [...new Set(from.map((place) => refOf(lock, place)))].sort()
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: {
        type: 'application',
        'bom-ref': product.ref,
        name: own.name,
        version: own.version,
        licenses: licenceOf(own.license),
        purl: product.purl,
      },
    },
    components: refs.map((ref) => componentOf(lock, byRef.get(ref) as string)),
    dependencies: [
      { ref: product.ref, dependsOn: dependsOn(first) },
      ...refs.map((ref) => ({
        ref,
        dependsOn: dependsOn(
          [...places].filter((place) => refOf(lock, place) === ref).flatMap((place) => neededBy(lock, place)),
        ),
      })),
    ],
  }
}

export const readLock = (): Lock => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock

if (process.argv[1] === import.meta.filename) {
  const lock = readLock()
  const sbom = sbomOf(lock, rootPackages(lock.packages[''] ?? {}))
  const file = join(root, 'dist/sbom.cdx.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
  console.log(`dist/sbom.cdx.json lists ${sbom.components.length} packages`)
}
