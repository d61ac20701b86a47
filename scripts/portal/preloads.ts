import type { Plugin } from 'vite'

interface Chunk {
  type: string
  isEntry?: boolean
  imports?: readonly string[]
  viteMetadata?: { importedCss: ReadonlySet<string> } | undefined
}

/** The files that the page loads before any screen: the entry, its imports, and their stylesheets. */
export function filesOfEntry(bundle: Readonly<Record<string, Chunk>>): Set<string> {
  const files = new Set<string>()
  const add = (name: string) => {
    if (files.has(name)) return
    files.add(name)
    const chunk = bundle[name]
    for (const sheet of chunk?.viteMetadata?.importedCss ?? []) files.add(sheet)
    for (const next of chunk?.imports ?? []) add(next)
  }
  for (const [name, chunk] of Object.entries(bundle)) if (chunk.isEntry) add(name)
  return files
}

/**
 * The entry lists, for each screen, the files to fetch beside it. Files that the page has already loaded are left out,
 * since the whole list is read before the first paint.
 */
export function shortPreloads(): Plugin {
  let loaded = new Set<string>()
  return {
    name: 'short-preloads',
    apply: 'build',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          resolveDependencies: (_, files) => files.filter((file) => !loaded.has(file)),
        },
      },
    }),
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        loaded = filesOfEntry(bundle as Record<string, Chunk>)
        if (loaded.size < 2) this.error('The entry imports nothing, which cannot be.')
      },
    },
  }
}
