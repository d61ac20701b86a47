import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseText, root, type Source, visit } from './sources.ts'

/** How many lines of style sheets people keep by hand. It only falls. */
export const mostLines = 8_900

export const styleSheets = () =>
  globSync(['portal/**/*.css', 'server/**/*.css'], { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** The portal's screens and parts, parsed. */
export const screenSources = () =>
  globSync('portal/**/*.tsx', { cwd: root }).map((path) =>
    parseText(path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')),
  )

/** What `Stack`, `Group`, `Flex`, `SimpleGrid`, `Columns`, `Text` and `Box` say with their props. */
const props =
  /^(display|(row-|column-)?gap|flex(-direction|-wrap)?|align-items|justify-(content|items)|grid-template-columns|(margin|padding)(-\w+)*|color|font-(size|weight|family)|line-height|letter-spacing|text-align|(min-|max-)?(width|height))$/

type Rule = { selector: string; properties: string[]; isNested: boolean }

/** The rules of a style sheet; those within a media query or a layer are nested. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = []
  const open: { head: string; properties: string[] }[] = []
  for (const [, head, mark] of css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]*)([{};])/g)) {
    if (mark === '{') open.push({ head: head?.trim() ?? '', properties: [] })
    else open.at(-1)?.properties.push(...(head?.includes(':') ? [head.split(':', 1)[0]?.trim() ?? ''] : []))
    if (mark !== '}') continue
    const closed = open.pop()
    if (closed && !closed.head.startsWith('@'))
      rules.push({ selector: closed.head, properties: closed.properties, isNested: open.length > 0 })
  }
  return rules
}

/** Classes with a single rule, which says nothing but layout and type. */
export function layoutOnly(css: string): string[] {
  const rules = rulesOf(css)
  const isNamed = (name: string) => new RegExp(`\\.${name}(?![\\w-])`)
  return rules
    .filter(
      ({ properties, isNested }) => !isNested && properties.length > 0 && properties.every((one) => props.test(one)),
    )
    .flatMap(({ selector }) => /^\.([\w-]+)$/.exec(selector)?.[1] ?? [])
    .filter((name) => rules.filter(({ selector }) => isNamed(name).test(selector)).length === 1)
}

/** Elements that a part can replace. */
const replaced = /^(div|span|p|section|header|footer|main|nav|aside|article|figure|ul|ol|li|dl|dt|dd|h[1-6])$/
/** Rows are drawn by the hundred: there a class is cheaper than a part. */
const drawnOften = /^portal\/ui\/(grid|list\/rows)\//

/** Classes of these style sheets that are the whole look of plain elements, as `sheet.css .name`. */
function onPlainElements(sources: readonly Source[]): Set<string> {
  const plain = new Set<string>()
  const elsewhere = new Set<string>()
  for (const source of sources) {
    const sheets = new Map<string, string>()
    visit(source.program, (node, ancestors) => {
      if (node.type === 'ImportDefaultSpecifier') {
        const statement = ancestors.at(-1)
        const from = statement?.type === 'ImportDeclaration' ? statement.source.value : ''
        const file = source.imports.find((one) => one.from === from)?.file
        if (file?.endsWith('.module.css')) sheets.set(node.local.name, file)
      }
      if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return
      const sheet = sheets.get(node.object.name)
      if (!sheet || node.property.type !== 'Identifier') return
      const [element, attribute, container] = ancestors.slice(-3)
      const isWhole =
        container?.type === 'JSXExpressionContainer' &&
        attribute?.type === 'JSXAttribute' &&
        attribute.name.name === 'className' &&
        element?.type === 'JSXOpeningElement' &&
        element.name.type === 'JSXIdentifier' &&
        replaced.test(element.name.name) &&
        !drawnOften.test(source.path)
      const place = isWhole ? plain : elsewhere
      place.add(`${sheet} .${node.property.name}`)
    })
  }
  return new Set([...plain].filter((name) => !elsewhere.has(name)))
}

/** Classes that a part with props replaces. */
export function replaceable(sheets: readonly { path: string; text: string }[], sources: readonly Source[]): string[] {
  const used = onPlainElements(sources)
  return sheets
    .flatMap(({ path, text }) => layoutOnly(text).map((name) => `${path} .${name}`))
    .filter((name) => used.has(name))
}
