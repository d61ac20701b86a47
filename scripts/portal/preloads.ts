import type { Plugin } from 'vite'

interface Chunk {
  type: string
  name?: string
  imports?: readonly string[]
  viteMetadata?: { importedCss: ReadonlySet<string> } | undefined
}

/** The files of named chunks: the chunks, their imports, and their stylesheets. */
export function filesOf(bundle: Readonly<Record<string, Chunk>>, names: readonly string[]): Set<string> {
  const files = new Set<string>()
  const add = (name: string) => {
    if (files.has(name)) return
    files.add(name)
    const chunk = bundle[name]
    for (const sheet of chunk?.viteMetadata?.importedCss ?? []) files.add(sheet)
    for (const next of chunk?.imports ?? []) add(next)
  }
  for (const [file, chunk] of Object.entries(bundle)) if (names.includes(chunk.name ?? '')) add(file)
  return files
}

/**
 * Each chunk lists, for the screens that it loads, the files to fetch beside them. Files that the page has already loaded are left out, since
 * the whole list is read before the first paint. The page's first code lists the files of the shell, so that they load together.
 */
export function shortPreloads(): Plugin {
  let gate = new Set<string>()
  let shell = new Set<string>()
  return {
    name: 'short-preloads',
    apply: 'build',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          resolveDependencies: (_, files, { hostId }) => {
            const loaded = gate.has(hostId) ? gate : shell
            return files.filter((file) => !loaded.has(file))
          },
        },
      },
    }),
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        const chunks = bundle as Record<string, Chunk>
        gate = filesOf(chunks, ['sign-in'])
        shell = filesOf(chunks, ['sign-in', 'frame'])
        if (gate.size === 0 || shell.size < 3)
          this.error('The page’s first code or the shell is in no chunk of its own.')
      },
    },
  }
}
