import { join } from 'node:path'
import { firstScreen, main, second, signIn } from './parts.ts'

const root = join(import.meta.dirname, '../..')

/** The used parts of a bundler's module graph. */
interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

const libraries =
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|react-store|store|react-query|query-core)|i18next|react-i18next|oidc-client-ts)\//
/** Names a whole library; a screen uses few of its modules. */
const barrel = /node_modules\/@mantine\/[^/]+\/esm\/index\.mjs$/
/** Every screen is laid out with these. */
const layout = /node_modules\/@mantine\/core\/esm\/components\/(Center|Flex|Group|SimpleGrid|Stack|Text|Title)\//
/** Words of the first screen, and of what appears after it. */
const wordsOf = {
  first: /\/language\/(\w\w)\/(?:frame\/(?:shell|ui)|sales\/dashboard)\.json$|\/words\/(\w\w)\.gen\.ts$/,
  second:
    /\/language\/(\w\w)\/(?:frame\/(?:errors|palette|vocabulary)|alarms\/(?:alarm|machine-event)|updates\/update-rule)\.json$/,
}
/** Words are fetched per language and feature. */
const isCode = (id: string) => !id.endsWith('.json')

/** A module with all its direct and indirect imports, except those loaded later and those behind a library's barrel. */
export function importsOf(start: string, graph: Graph): Set<string> {
  const imports = new Set<string>()
  const queue = [start]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (imports.has(id)) continue
    imports.add(id)
    if (barrel.test(id)) continue
    queue.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  return imports
}

const none = /(?!)/
/** Vite's own, with which the page's first code loads the rest. */
const loader = /vite\/preload-helper/

/** Names the group of the modules that some parts of the portal import, and of others by their path. */
function importedBy(name: string, others: RegExp, ...parts: string[]) {
  const importsByGraph = new WeakMap<Graph, Set<string>>()
  return (id: string, graph: Graph) => {
    const imports =
      importsByGraph.get(graph) ?? new Set(parts.flatMap((part) => [...importsOf(join(root, part), graph)]))
    importsByGraph.set(graph, imports)
    return imports.has(id) || others.test(id) ? name : null
  }
}

/** The shell and the layout of every screen, with the style sheets of the whole first screen: one file instead of three. */
function frame() {
  const ofShell = importedBy('frame', layout, main)
  const ofFirst = importedBy('frame', none, firstScreen, ...second)
  return (id: string, graph: Graph) => ofShell(id, graph) ?? (id.endsWith('.css') ? ofFirst(id, graph) : null)
}

const wordsIn = (name: string, words: RegExp) => (id: string) => {
  const [, ...found] = words.exec(id) ?? []
  const language = found.find(Boolean)
  return language ? `${name}-${language}` : null
}

/**
 * Groups of modules that share a file; the first matching group wins. A browser fetches each file separately, so modules that most
 * screens need share a few files; rarely needed modules stay apart and delay no other screen.
 */
export const chunkGroups = () => [
  { name: importedBy('sign-in', loader, signIn), debugName: 'sign-in', test: isCode, priority: 4 },
  // Compresses better than its pieces, and outlives our own releases in a cache.
  { name: 'base', test: libraries, priority: 3 },
  // Forms and contracts need it; the first screen does not.
  { name: 'zod', test: /node_modules\/zod\//, priority: 3 },
  // The shell, and further modules of the dashboard, without the modules that only lists and forms need.
  { name: frame(), debugName: 'frame', test: isCode, priority: 2 },
  { name: importedBy('first', none, firstScreen), debugName: 'first', test: isCode, priority: 1 },
  { name: importedBy('second', none, ...second), debugName: 'second', test: isCode, priority: 1 },
  { name: wordsIn('words', wordsOf.first), debugName: 'words', priority: 1 },
  { name: wordsIn('more-words', wordsOf.second), debugName: 'more-words', priority: 1 },
  { name: 'icons', test: /node_modules\/@tabler\//, minShareCount: 2, priority: 1 },
  // Lists, details and forms share these parts.
  { name: 'screens', test: isCode, minShareCount: 14 },
]
