import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, parseSync } from 'vite'

const library = '@tabler/icons-react'
const folder = join(import.meta.dirname, '../../node_modules', library, 'dist/esm/icons')

/** The code with each icon imported from its own file; a name without a file stays with the library's index. */
export function withOwnFiles(path: string, code: string): string {
  const imports = parseSync(path, code).module.staticImports.filter(
    ({ moduleRequest }) => moduleRequest.value === library,
  )
  for (const { entries, start, end } of imports.sort((a, b) => b.start - a.start)) {
    const imports = entries
      .filter(({ isType }) => !isType)
      .map(({ importName, localName }) => {
        const file = join(folder, `${importName.name}.mjs`)
        return existsSync(file)
          ? `import ${localName.value} from ${JSON.stringify(file)};`
          : `import { ${importName.name} as ${localName.value} } from '${library}';`
      })
    code = code.slice(0, start) + imports.join(' ') + code.slice(end)
  }
  return code
}

/**
 * Imports icons from their own files. Through the index of the library, a module would seem to need every icon, and the dashboard's
 * chunks would take those of all other screens.
 */
export const ownIconFiles = (): Plugin => ({
  name: 'own-icon-files',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    return /\/portal\/.*\.tsx?$/.test(id) && code.includes(library) ? { code: withOwnFiles(id, code), map: null } : null
  },
})
