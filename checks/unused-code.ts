import { posix } from 'node:path'
import { isTest, packageOf, type Source, visit } from './sources.ts'

/** Where the project is entered from outside: by npm, by a tool, by the browser, by the test runner. */
export function entries(sources: readonly Source[], packageScripts: Record<string, string>): string[] {
  const named = Object.values(packageScripts).flatMap((script) => script.split(' '))
  return sources
    .map((source) => source.path)
    .filter(
      (path) =>
        named.includes(path) ||
        path === 'portal/gate.ts' ||
        path === 'portal/key/main.tsx' ||
        /\.(test\.tsx?|d\.ts)$/.test(path) ||
        /^[^/]+\.config\.ts$/.test(path),
    )
}

/** Files that no entry leads to. */
export function unreached(sources: readonly Source[], from: readonly string[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const reached = new Set<string>()
  const queue = [...from]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const source = byPath.get(path)
    if (!source || reached.has(path)) continue
    reached.add(path)
    for (const { file } of source.imports) if (file !== undefined) queue.push(file)
    queue.push(...namedFiles(source, sources))
  }
  return sources.map((source) => source.path).filter((path) => !reached.has(path))
}

/** Files that a text in the code names: the module of a worker or of a process of its own, the files a glob brings in. */
function namedFiles(source: Source, sources: readonly Source[]): string[] {
  const found: string[] = []
  visit(source.program, (node, ancestors) => {
    if (node.type !== 'Literal' || typeof node.value !== 'string') return
    // An import names its file too, but takes only what it says.
    if (/^(Import|Export|TSImport)/.test(ancestors.at(-1)?.type ?? '')) return
    const text = node.value
    if (!/\.(ts|tsx|js|mjs)$/.test(text)) return
    const relative = text.startsWith('.') ? posix.join(posix.dirname(source.path), text) : text
    for (const { path } of sources) {
      const isNamed = text.includes('*')
        ? posix.matchesGlob(path, relative)
        : path === relative || path.endsWith(`/${text}`)
      if (isNamed) found.push(path)
    }
  })
  return found
}

/**
 * Exports without a use: no other file imports them, and their own file does not use them either. An export that only tests
 * import is unused too, because the product does not need it.
 */
export function unusedExports(sources: readonly Source[]): string[] {
  const users = new Map<string, { names: Set<string>; byTest: Set<string> }>()
  for (const source of sources) {
    for (const { file, names } of source.imports) {
      if (file === undefined) continue
      const use = users.get(file) ?? { names: new Set(), byTest: new Set() }
      const isForTests = isTest(file) || file.startsWith('scripts/')
      for (const name of names) (isTest(source.path) && !isForTests ? use.byTest : use.names).add(name)
      users.set(file, use)
    }
    // A file started by its name is used by the file that starts it.
    for (const file of namedFiles(source, sources)) users.set(file, { names: new Set(['*']), byTest: new Set() })
  }
  const unused: string[] = []
  for (const source of sources) {
    if (/\.test\.tsx?$/.test(source.path) || /\.config\.ts$/.test(source.path)) continue
    const use = users.get(source.path)
    for (const { name } of source.exports) {
      if (use?.names.has(name) || use?.names.has('*') || mentions(source, name) > 1) continue
      unused.push(`${source.path}: ${name}${use?.byTest.has(name) ? ' (only tests use it)' : ''}`)
    }
  }
  return [...new Set(unused)]
}

function mentions(source: Source, name: string): number {
  let count = 0
  visit(source.program, (node) => {
    if ((node.type === 'Identifier' || node.type === 'JSXIdentifier') && node.name === name) count += 1
  })
  return count
}

/** Dependencies that no file names, and imported packages that are not dependencies. */
export function dependencyFaults(
  sources: readonly Source[],
  /** Style sheets, pages and configurations, which name packages too. */
  otherTexts: readonly string[],
  wanted: readonly string[],
): { unused: string[]; unlisted: string[] } {
  const imported = new Set<string>()
  for (const { imports } of sources) {
    for (const { from } of imports) if (!/^(\.|#|node:|\/|virtual:)/.test(from)) imported.add(packageOf(from))
  }
  const texts = [...sources.map((source) => source.text), ...otherTexts]
  const isNamed = (name: string) =>
    imported.has(name) ||
    (name.startsWith('@types/') ? isNamedAsPackage(name.slice(7)) || name === '@types/node' : isNamedAsPackage(name))
  // In quotes, as a string of its own or the start of a path; or in a path through node_modules.
  const isNamedAsPackage = (name: string) => {
    const quoted = new RegExp(`['"\`](?:.*node_modules/)?${name}(?:/[^'"\`]*)?['"\`]`)
    return imported.has(name) || texts.some((text) => quoted.test(text))
  }
  return {
    unused: wanted.filter((name) => !isNamed(name)),
    // A package of types alone is imported by the name it types.
    unlisted: [...imported].filter((name) => !wanted.includes(name) && !wanted.includes(`@types/${name}`)),
  }
}
