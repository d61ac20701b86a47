import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { type ESTree, parseSync } from 'vite'

export const root = join(import.meta.dirname, '..')

/** One name that a file takes from another: `*` when it takes whatever is there. */
export type Import = {
  /** As written: `#contract/alarms/alarm.ts`, `./tube.ts`, `zod`, `node:fs`. */
  from: string
  /** The file within the project that it means, as a path from the root; undefined for packages. */
  file: string | undefined
  names: string[]
  isType: boolean
  /** `export … from`: the file hands on what it takes. */
  isHandedOn: boolean
}

export type Export = { name: string; isType: boolean; isOwn: boolean; at: number }

export type Source = {
  /** From the project's root, with forward slashes: `domain/money/money.ts`. */
  path: string
  /** The top-level folder: `domain`; empty for files at the root. */
  folder: string
  text: string
  program: ESTree.Program
  imports: Import[]
  exports: Export[]
}

const folders = [
  'contract',
  'language',
  'domain',
  'database',
  'server',
  'portal',
  'simulator',
  'agent',
  'demo',
  'testkit',
  'e2e',
  'faults',
  'bench',
  'checks',
  'scripts',
  'docs',
]

let parsed: Source[] | undefined

/** Every TypeScript and JavaScript file of the project that people write, parsed. Throws when one cannot be. */
export function sources(): Source[] {
  parsed ??= [
    ...folders.flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,mjs,js}`, { cwd: root })),
    ...globSync('*.ts', { cwd: root }),
  ]
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.gen.ts') && !path.startsWith('portal/public/'))
    .sort()
    .map(parse)
  return parsed
}

/** Code that only tests run. */
export const isTest = (path: string) =>
  /\.test\.tsx?$|\/fixtures\//.test(path) ||
  /^(testkit|e2e|faults|bench|checks)\//.test(path) ||
  path === 'vitest.config.ts'

function parse(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  return parseText(path, text)
}

/** Parses one file; apart from {@link sources} so that the checks can be tried on examples. */
export function parseText(path: string, text: string): Source {
  const { program, module, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const imports: Import[] = []
  const exports: Export[] = []
  const take = (from: string, names: string[], isType: boolean, isHandedOn = false) =>
    imports.push({ from, file: fileOf(path, from), names, isType, isHandedOn })

  for (const statement of module.staticImports) {
    const entries = statement.entries
    take(
      statement.moduleRequest.value,
      entries.map(({ importName }) => (importName.kind === 'Default' ? 'default' : (importName.name ?? '*'))),
      entries.length > 0 && entries.every((entry) => entry.isType),
    )
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName, isType, start } of entries) {
      const name = exportName.kind === 'Default' ? 'default' : (exportName.name ?? '*')
      exports.push({ name, isType, isOwn: !moduleRequest, at: start })
      if (moduleRequest)
        take(moduleRequest.value, [importName.kind === 'Name' ? (importName.name ?? '*') : '*'], isType, true)
    }
  }
  visit(program, (node) => {
    if (node.type === 'ImportExpression' && node.source.type === 'Literal')
      take(String(node.source.value), ['*'], false)
    if (node.type === 'TSImportType') take(String(node.source.value), ['*'], true)
  })
  return { path, folder: path.includes('/') ? (path.split('/')[0] ?? '') : '', text, program, imports, exports }
}

function fileOf(path: string, from: string): string | undefined {
  if (from.startsWith('#')) return from.slice(1)
  if (from.startsWith('.')) return posix.join(dirname(path).replaceAll('\\', '/'), from.split('?')[0] ?? '')
  return undefined
}

export type Node = Extract<ESTree.Node, { type: string }>

/** Shows every node of a tree to `see`, parents before their children, each with its ancestors (the nearest last). */
export function visit(start: Node, see: (node: Node, ancestors: readonly Node[]) => void) {
  const ancestors: Node[] = []
  const walk = (node: Node) => {
    see(node, ancestors)
    ancestors.push(node)
    for (const [key, child] of Object.entries(node)) {
      if (key === 'parent') continue
      for (const one of Array.isArray(child) ? child : [child]) if (isNode(one)) walk(one)
    }
    ancestors.pop()
  }
  walk(start)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The package a bare import belongs to: `@mantine/core/styles.css` is of `@mantine/core`. */
export const packageOf = (from: string) => from.split('/', from.startsWith('@') ? 2 : 1).join('/')

/** `domain/money/money.ts:12` for the place of an offset in a file. */
export const placeOf = (source: Source, offset: number) =>
  `${source.path}:${source.text.slice(0, offset).split('\n').length}`
