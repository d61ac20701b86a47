import type { Plugin } from 'vite'

/**
 * Modules of libraries that the portal's build replaces: each still exports its names, without their function. Forms
 * check values with the contract's schemas and report errors in the user's language, so zod's JSON schemas and English
 * sentences are never used.
 */
const left = [
  { module: /\/zod\/v4\/core\/json-schema-processors\.js$/, does: '() => {}' },
  { module: /\/zod\/v4\/core\/to-json-schema\.js$/, does: '() => () => {}' },
  { module: /\/zod\/v4\/locales\/en\.js$/, does: `() => ({ localeError: () => 'Invalid' })` },
]

const exported = /^export (?:(default)|(?:async )?(?:const|let|class|function) ([\w$]+)|\{([^}]*)\})/gm

/** The names that a module exports. */
export function namesOf(code: string): string[] {
  return [...code.matchAll(exported)].flatMap(
    ([, byDefault, name, list]) =>
      byDefault ?? name ?? list?.split(',').map((one) => one.trim().split(' as ').at(-1) as string) ?? [],
  )
}

/** A module with the same names, without their function. */
export const emptied = (code: string, does: string): string =>
  namesOf(code)
    .map((name) => (name === 'default' ? `export default ${does};` : `export const ${name} = ${does};`))
    .join('\n')

/** Replaces those modules. A build that does not meet one of them fails: a newer version has moved it. */
export function leanLibraries(): Plugin {
  const missing = new Set<{ module: RegExp }>(left)
  return {
    name: 'lean-libraries',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      const omitted = left.find(({ module }) => module.test(id))
      if (!omitted) return null
      missing.delete(omitted)
      return { code: emptied(code, omitted.does), map: null }
    },
    buildEnd(error) {
      if (error || missing.size === 0) return
      this.error(`These modules are not where they were: ${[...missing].map(({ module }) => module.source).join(', ')}`)
    },
  }
}
