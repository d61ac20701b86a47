import { join } from 'node:path'

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
const firstScreen = join(import.meta.dirname, '../../portal/features/sales/dashboard/DashboardScreen.tsx')
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

function ofFirstScreen() {
  const importsByGraph = new WeakMap<Graph, Set<string>>()
  return (id: string, graph: Graph) => {
    const imports = importsByGraph.get(graph) ?? importsOf(firstScreen, graph)
    importsByGraph.set(graph, imports)
    return imports.has(id) ? 'first' : null
  }
}

/**
 * Groups of modules that share a file; the first matching group wins. A browser fetches each file separately, so modules that most
 * screens need share a few files; rarely needed modules stay apart and delay no other screen.
 */
export const chunkGroups = () => [
  // Compresses better than its pieces, and outlives our own releases in a cache.
  { name: 'base', test: libraries, priority: 3 },
  // Forms and contracts need it; the first screen does not.
  { name: 'zod', test: /node_modules\/zod\//, priority: 3 },
  // The entry, and further modules of the dashboard, without the modules that only lists and forms need.
  { name: 'frame', tags: ['$initial' as const], test: isCode, priority: 2 },
  { name: 'frame', test: layout, priority: 2 },
  { name: ofFirstScreen(), debugName: 'first', test: isCode, minShareCount: 2, priority: 1 },
  { name: 'icons', test: /node_modules\/@tabler\//, minShareCount: 2, priority: 1 },
  // Lists, details and forms share these parts.
  { name: 'screens', test: isCode, minShareCount: 14 },
]
