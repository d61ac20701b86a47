import { expect, test } from 'vitest'
import { isTest, type Node, parseText, placeOf, type Source, sources, visit } from './sources.ts'

/* A cast past the compiler, `as never` or `as unknown as`, says why it is right: `// Cast: the table is a type parameter.` */

const isPastCompiler = (node: Node): boolean =>
  node.type === 'TSAsExpression' &&
  (node.typeAnnotation.type === 'TSNeverKeyword' ||
    (node.expression.type === 'TSAsExpression' && node.expression.typeAnnotation.type === 'TSUnknownKeyword'))

/** Whether a reason may be above it: a statement, a field, a case or an attribute. */
const isPart = ({ type }: Node) =>
  /Statement$|Declaration$|^(Property|PropertyDefinition|JSXAttribute|SwitchCase)$/.test(type)

const says = (text: string) => /(\/\/|\/\*|^\s*\*) Cast: \S/.test(text)

/** Casts without a reason in the comments above their statement, above their line, or behind them. */
function unexplained(source: Source): string[] {
  const lines = source.text.split('\n')
  const lineOf = (offset: number) => source.text.slice(0, offset).split('\n').length - 1
  const commentAbove = (line: number) => {
    const comment: string[] = []
    for (let at = line - 1; /^\s*(\/\/|\/\*|\*)/.test(lines[at] ?? ''); at--) comment.unshift(lines[at] ?? '')
    return comment.join('\n')
  }
  const found = new Set<string>()
  visit(source.program, (node, ancestors) => {
    if (!isPastCompiler(node)) return
    const last = lineOf(node.end)
    const part = ancestors.findLast(isPart)
    const places = [
      commentAbove(lineOf(part?.start ?? node.start)),
      commentAbove(last),
      commentAbove(lineOf(node.start)),
    ]
    if (![...places, lines[last] ?? ''].some(says)) found.add(placeOf(source, node.end))
  })
  return [...found]
}

/** How many casts past the compiler the product has. Lower it with each that goes. */
const casts = 14

/** The casts of a file. */
function castsIn(source: Source): string[] {
  const found: string[] = []
  visit(source.program, (node) => {
    if (isPastCompiler(node)) found.push(placeOf(source, node.end))
  })
  return found
}

const product = sources().filter(
  ({ path, folder }) => folder !== 'scripts' && folder !== 'docs' && /\.tsx?$/.test(path) && !isTest(path),
)

test('each cast past the compiler has a reason', () => {
  expect(product.length).toBeGreaterThan(1000)
  expect(product.flatMap(unexplained)).toEqual([])
})

test('casts past the compiler do not become more', () => {
  const found = product.flatMap(castsIn)
  expect(found, found.join('\n')).toHaveLength(casts)
})

test('a cast without a reason is found', () => {
  const found = (text: string) => unexplained(parseText('server/example.ts', text))
  expect(found('const a = b as never')).toEqual(['server/example.ts:1'])
  expect(found('// A note.\nconst a = b as unknown as C')).toEqual(['server/example.ts:2'])
  expect(found('// Cast: the table is a type parameter.\nconst a = b as unknown as C')).toEqual([])
  expect(found('const a = {\n  // Cast: the same.\n  b: c as never,\n  d: e as never,\n}')).toEqual([
    'server/example.ts:4',
  ])
  expect(found('const a = f({\n  b,\n}) as never // Cast: the fields are computed.')).toEqual([])
  expect(found('const a = b as string')).toEqual([])
})
