import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Plugin, parseSync } from 'vite'
import { type DataOfRow, dataOfModule, moduleOf } from './contract-data.ts'
import { firstScreen, main, second } from './parts.ts'

const root = join(import.meta.dirname, '../..')

/** What loads until the first screen is complete, with all static imports. */
const firstModules = [main, firstScreen, ...second]

const contract = join(root, 'contract/')
const suffix = '?data'

/** What the portal needs to call an endpoint, and to keep its answer fresh. */
export const callOf: DataOfRow = ({ method, path, needs, topics, timeOut, produces, ok }) => ({
  method,
  path,
  needs,
  topics,
  timeOut,
  produces,
  ok: ok ? true : undefined,
})

interface Import {
  /** The file that is imported. */
  path: string
  /** Imported values with their local names; undefined for a whole module. */
  names: { name: string; local: string }[] | undefined
  start: number
  end: number
}

/** The static imports and re-exports of our own files, without types. */
export function importsIn(path: string, code: string): Import[] {
  const { staticImports, staticExports } = parseSync(path, code).module
  const imports = staticImports.flatMap(({ moduleRequest, entries, start, end }) => {
    const names = entries.filter(({ isType }) => !isType)
    if (entries.length > 0 && names.length === 0) return []
    const isNamed = names.length > 0 && names.every(({ importName }) => importName.kind === 'Name')
    const named = names.map(({ importName, localName }) => ({ name: importName.name ?? '', local: localName.value }))
    return [{ from: moduleRequest.value, names: isNamed ? named : undefined, start, end }]
  })
  const exports = staticExports.flatMap(({ entries, start, end }) => {
    const from = entries.find(({ isType, moduleRequest }) => moduleRequest && !isType)?.moduleRequest?.value
    return from ? [{ from, names: undefined, start, end }] : []
  })
  return [...imports, ...exports].flatMap(({ from, ...rest }) => {
    const file = from.startsWith('#') ? join(root, from.slice(1)) : from.startsWith('.') && join(dirname(path), from)
    return file && /\.tsx?$/.test(file) && existsSync(file) ? [{ path: file, ...rest }] : []
  })
}

/**
 * Gives the first screen the contract as data: it calls endpoints, and reads tables, but checks no input. So neither zod nor the
 * schemas load before its first picture. A function or schema is still imported from its module, with all that this needs. Other
 * screens have the whole contract.
 */
export function contractOfFirstScreen(): Plugin {
  const data = new Map<string, Promise<Map<string, unknown>>>()
  const dataIn = (path: string) => {
    const dataOfPath = data.get(path) ?? dataOfModule(path, callOf)
    data.set(path, dataOfPath)
    return dataOfPath
  }
  /** The changed code of the first screen's modules. */
  let rewritten = new Map<string, string>()

  async function rewrite(path: string): Promise<{ code: string; next: string[] }> {
    let code = readFileSync(path, 'utf8')
    const next: string[] = []
    for (const one of importsIn(path, code).sort((a, b) => b.start - a.start)) {
      const dataNames = one.names && one.path.startsWith(contract) ? await dataIn(one.path) : undefined
      const [asData, whole] = [true, false].map(
        (is) => one.names?.filter(({ name }) => dataNames?.has(name) === is) ?? [],
      )
      if (!dataNames || !asData?.length) {
        next.push(one.path)
        continue
      }
      const statement = (names: NonNullable<Import['names']>, from: string) =>
        `import { ${names.map(({ name, local }) => `${name} as ${local}`).join(', ')} } from ${JSON.stringify(from)};`
      const statements = [statement(asData, one.path + suffix)]
      if (whole?.length) {
        statements.push(statement(whole, one.path))
        next.push(one.path)
      }
      code = code.slice(0, one.start) + statements.join(' ') + code.slice(one.end)
    }
    return { code, next }
  }

  return {
    name: 'contract-of-first-screen',
    apply: 'build',
    enforce: 'pre',
    async buildStart() {
      rewritten = new Map()
      const queue = firstModules.map((path) => join(root, path))
      for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
        if (rewritten.has(path)) continue
        const { code, next } = await rewrite(path)
        rewritten.set(path, code)
        queue.push(...next)
      }
    },
    resolveId: (source) => (source.startsWith(contract) && source.endsWith(suffix) ? source : undefined),
    async load(id) {
      if (id.startsWith(contract) && id.endsWith(suffix)) return moduleOf(await dataIn(id.slice(0, -suffix.length)))
      return rewritten.get(id)
    },
  }
}
