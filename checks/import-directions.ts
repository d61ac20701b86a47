import { isTest, packageOf, type Source } from './sources.ts'

/** Which folders of the project, and which packages, a folder's code may import. Its tests may import more. */
type Allowance = { folders: readonly string[]; packages: 'any' | readonly string[]; mayUseNode: boolean }

const anything = { packages: 'any', mayUseNode: true } as const

/** The layers, from the inside outwards: what the product says, its rules, its data, its server; beside them the portal and the machines. */
export const allowances: Record<string, Allowance> = {
  // Beside zod the small pure validators: phone numbers and VAT codes of the world.
  contract: { folders: [], packages: ['zod', 'libphonenumber-js', 'stdnum'], mayUseNode: false },
  language: { folders: ['contract'], packages: [], mayUseNode: false },
  domain: { folders: ['contract'], packages: [], mayUseNode: false },
  database: { folders: ['contract', 'domain'], ...anything },
  server: { folders: ['contract', 'domain', 'database', 'language'], ...anything },
  portal: { folders: ['contract', 'domain', 'language'], packages: 'any', mayUseNode: false },
  // A machine knows the protocol, and the pure rules it shares with us: how an audit file is written, when its local hour begins.
  simulator: { folders: ['contract', 'domain'], ...anything },
  // The agent beside a real machine knows the protocol, and the pure rules for files, clocks and waiting.
  agent: { folders: ['contract', 'domain'], ...anything },
  // The demo's history must fit the virtual machines that continue it, so the demo knows how they sell and fail.
  demo: { folders: ['contract', 'domain', 'database', 'server', 'simulator'], ...anything },
}

/** The customers' app is small: it takes these packages, and of the portal only files that import no more. */
const keyApp = {
  folder: 'portal/key/',
  packages: new Set([
    'react',
    'react-dom',
    'react-i18next',
    'i18next',
    'wouter',
    'idb-keyval',
    'jsqr',
    '@tabler/icons-react',
    '@tanstack/react-query',
    '@fontsource-variable/inter',
    'workbox-precaching',
    'workbox-routing',
    'workbox-strategies',
    'workbox-window',
  ]),
  ofPortal:
    /^portal\/app\/(address|apiError|uuid|i18n\/format|i18n\/numbersOf|i18n\/language)\.ts$|^portal\/app\/theme\/tokens\.css$/,
}

function keyAppFaults({ path, imports }: Source): string[] {
  if (!path.startsWith(keyApp.folder) || isTest(path)) return []
  return imports.flatMap(({ from, file, isType }) => {
    if (isType) return []
    if (file === undefined)
      return keyApp.packages.has(packageOf(from))
        ? []
        : [`${path} imports ${from}, which the customers' app leaves out`]
    return file.startsWith('portal/') && !file.startsWith(keyApp.folder) && !keyApp.ofPortal.test(file)
      ? [`${path} imports ${file}, which is the staff's`]
      : []
  })
}

/** Everything wrong with a file's imports, one sentence each. */
export function importFaults(source: Source): string[] {
  const faults: string[] = keyAppFaults(source)
  const own = source.folder
  const fault = (what: string) => faults.push(`${source.path} ${what}`)
  for (const { from, file, isType } of source.imports) {
    if (file === undefined) {
      const allowance = isTest(source.path) ? undefined : allowances[own]
      const isNode = from.startsWith('node:')
      if (allowance && isNode && !allowance.mayUseNode) fault(`imports ${from}, but ${own}/ runs without Node`)
      if (allowance && !isNode && allowance.packages !== 'any' && !allowance.packages.includes(packageOf(from)))
        fault(`imports the package ${packageOf(from)}, which ${own}/ may not`)
      continue
    }
    const target = file.split('/')[0] ?? ''
    if (from.startsWith('.') && !/\.\w+$/.test(file)) fault(`imports ${from} without its ending`)
    if (target === 'testkit' && !isTest(source.path)) fault(`imports ${file}, which is for tests alone`)
    if (isTest(source.path)) continue
    if (from.startsWith('.') && target !== own && own in allowances && !file.endsWith('.json'))
      fault(`reaches ${file} by a relative path: write #${file}`)
    const allowance = allowances[own]
    if (allowance && target !== own && !allowance.folders.includes(target))
      fault(`imports ${file}, but ${own}/ may not import ${target}/`)
    // The merged map would bring every noun's schemas into the first screen's chunk.
    if (file === 'contract/endpoints.ts' && own === 'portal' && (!isType || source.path.startsWith('portal/features/')))
      fault('imports contract/endpoints.ts: the portal takes the rows of its noun alone')
  }
  return faults
}

/** Groups of files that import each other in a circle, each as a list of paths. */
export function cycles(sources: readonly Source[]): string[][] {
  const bySource = new Map(sources.map((source) => [source.path, source]))
  const found: string[][] = []
  const done = new Set<string>()
  const trail: string[] = []
  const walk = (path: string) => {
    const at = trail.indexOf(path)
    if (at >= 0) {
      found.push([...trail.slice(at), path])
      return
    }
    if (done.has(path)) return
    trail.push(path)
    for (const { file } of bySource.get(path)?.imports ?? []) if (file !== undefined && bySource.has(file)) walk(file)
    trail.pop()
    done.add(path)
  }
  for (const { path } of sources) walk(path)
  return found
}

/** A barrel only hands on what other files export; it hides where things live and drags all of them along. */
export const isBarrel = (source: Source) =>
  source.exports.length > 1 &&
  source.exports.every((one) => !one.isOwn) &&
  source.program.body.every((node) => node.type.startsWith('Export'))

/** Pairs of folders that import each other, each with the reason. */
const bothWays: ReadonlyMap<string, string> = new Map([
  ['demo/catalogue ↔ demo/fleet', 'a machine is planned with products, and its no-vend settings follow its type'],
  ['demo/catalogue ↔ demo/history', 'the past of a machine is written with its products; the type of a past is named'],
  ['demo/configurations ↔ demo/history', 'a past is written with configurations; the type of a past is named'],
  ['demo/fleet ↔ demo/history', 'a past is made from a machine; the wares in it follow from its past'],
  ['demo/history ↔ demo/operators', 'a past is written by people; clients are placed by the machines of a past'],
  ['simulator/media ↔ simulator/works', 'customers hold keys, and media report credit; both only name a type'],
])

/** The folder of a path at a depth (2: `server/api`), or undefined for files above it. */
const folderAt = (path: string, depth: number) => {
  const folders = path.split('/').slice(0, -1)
  return folders.length < depth ? undefined : folders.slice(0, depth).join('/')
}
const parentOf = (folder: string) => folder.slice(0, folder.lastIndexOf('/'))

/**
 * Folders side by side that import each other, in the first and in the second level of a floor: `server/api ↔ server/export`. The
 * lower of two folders holds the code that both need.
 */
export function mutualFolders(sources: readonly Source[]): string[] {
  const edges = new Set<string>()
  for (const { path, imports } of sources.filter((source) => !isTest(source.path)))
    for (const { file } of imports)
      for (const depth of [2, 3]) {
        const from = folderAt(path, depth)
        const to = file && folderAt(file, depth)
        if (from && to && from !== to && parentOf(from) === parentOf(to)) edges.add(`${from} → ${to}`)
      }
  return [...edges].flatMap((edge) => {
    const [from = '', to = ''] = edge.split(' → ')
    return from < to && edges.has(`${to} → ${from}`) ? [`${from} ↔ ${to}`] : []
  })
}

/** Pairs in both directions without a reason, and reasons of pairs with one direction. */
export function directionFaults(sources: readonly Source[]): string[] {
  const found = mutualFolders(sources)
  return [
    ...found
      .filter((pair) => !bothWays.has(pair))
      .map((pair) => `${pair}: move the code that both need to one of them`),
    ...[...bothWays.keys()].filter((pair) => !found.includes(pair)).map((pair) => `${pair} has one direction`),
  ]
}
