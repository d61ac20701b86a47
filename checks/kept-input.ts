import { type Node, placeOf, type Source, visit } from './sources.ts'

/* Which inputs of the portal hold typed text that is lost when the session ends. */

/** Elements in which users type. */
const typed = [
  'Autocomplete',
  'ColorInput',
  'JsonInput',
  'NumberInput',
  'PinInput',
  'RichTextEditor',
  'TagsInput',
  'TextInput',
  'Textarea',
  'input',
  'textarea',
]
/** Native elements of these types are chosen, not typed. */
const chosenTypes = new Set(['checkbox', 'radio', 'file', 'hidden', 'color', 'range'])
/** Attributes that carry what was typed. */
const carriers = new Set(['value', 'defaultValue', 'form', 'editor'])

type Binding = { init: Node | undefined; prop?: string | undefined }

/** A component or hook: a function at the top of a file, with what its names are bound to. */
interface Scope {
  source: Source
  name: string
  node: Node
  bindings: Map<string, Binding>
}

const isFunction = (node: Node): node is Extract<Node, { params: unknown }> =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)

/** The names in a pattern, each with the property that it is taken from, if it is one. */
function namesIn(pattern: Node, prop?: string): [string, string | undefined][] {
  switch (pattern.type) {
    case 'Identifier':
      return [[pattern.name, prop]]
    case 'AssignmentPattern':
      return namesIn(pattern.left as Node, prop)
    case 'RestElement':
      return namesIn(pattern.argument as Node, '*')
    case 'ArrayPattern':
      return pattern.elements.flatMap((one) => (one ? namesIn(one as Node, prop) : []))
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) =>
        one.type === 'RestElement'
          ? namesIn(one as Node, '*')
          : namesIn(one.value as Node, prop ?? (one.key.type === 'Identifier' ? one.key.name : '*')),
      )
    default:
      return []
  }
}

/** The identifiers that an expression reads. */
function readIn(expression: Node): Set<string> {
  const names = new Set<string>()
  visit(expression, (node, ancestors) => {
    const parent = ancestors.at(-1)
    if (node.type === 'JSXIdentifier') return
    if (node.type !== 'Identifier') return
    if (parent?.type === 'MemberExpression' && parent.property === node && !parent.computed) return
    if (parent?.type === 'Property' && parent.key === node && !parent.computed && parent.value !== node) return
    names.add(node.name)
  })
  return names
}

function scopesOf(source: Source): Scope[] {
  const found: Scope[] = []
  const add = (name: string, node: Node) => {
    const bindings = new Map<string, Binding>()
    visit(node, (inner, ancestors) => {
      if (inner.type === 'VariableDeclarator')
        for (const [local] of namesIn(inner.id as Node))
          bindings.set(local, { init: (inner.init ?? undefined) as Node })
      if (!isFunction(inner)) return
      const call = ancestors.at(-1)
      for (const param of inner.params)
        for (const [local, prop] of namesIn(param as Node)) {
          // The parameter of a callback is of what is called: lines.map((line) => …).
          if (inner === node) bindings.set(local, { init: undefined, prop: prop ?? '*' })
          else if (!bindings.has(local) && call?.type === 'CallExpression')
            bindings.set(local, { init: call.callee as Node })
        }
    })
    found.push({ source, name, node, bindings })
  }
  for (const statement of source.program.body) {
    const declared =
      statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
        ? statement.declaration
        : statement
    if (declared?.type === 'FunctionDeclaration' && declared.id) add(declared.id.name, declared as Node)
    if (declared?.type === 'VariableDeclaration')
      for (const { id, init } of declared.declarations)
        if (id.type === 'Identifier' && init && isFunction(init as Node)) add(id.name, init as Node)
  }
  return found
}

const calleeOf = (init: Node | undefined) =>
  init?.type === 'CallExpression' && init.callee.type === 'Identifier' ? init.callee.name : undefined

interface Roots {
  states: Set<string>
  props: Set<string>
  isKept: boolean
}

/** Where the value of an expression comes from: states of the component, its properties, or input that is kept. */
function rootsOf(expression: Node, { bindings }: Scope, keptForms: ReadonlySet<string>): Roots {
  const roots: Roots = { states: new Set(), props: new Set(), isKept: false }
  const seen = new Set<string>()
  const follow = (from: Node) => {
    for (const name of readIn(from)) {
      const binding = bindings.get(name)
      if (!binding || seen.has(name)) continue
      seen.add(name)
      const hook = calleeOf(binding.init)
      if (binding.prop) roots.props.add(binding.prop)
      else if (hook === 'useKeptState' || hook === 'useKeptForm' || keptForms.has(name)) roots.isKept = true
      else if (hook === 'useState' || hook === 'useSchemaForm' || hook === 'useForm') roots.states.add(name)
      else if (binding.init) follow(binding.init)
    }
  }
  follow(expression)
  return roots
}

/** States that a component hands to `useKeptInput`, and forms that it hands to a screen that keeps them. */
function keptIn(scope: Scope): Set<string> {
  const kept = new Set<string>()
  visit(scope.node, (node) => {
    const given =
      node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'useKeptInput'
        ? node.arguments
        : node.type === 'JSXOpeningElement' && node.name.type === 'JSXIdentifier' && node.name.name === 'FormScreen'
          ? node.attributes
          : []
    for (const one of given) for (const name of rootsOf(one as Node, scope, new Set()).states) kept.add(name)
  })
  return kept
}

export interface LostInput {
  place: string
  /** The component and the element in it: `RefundDialog Textarea`. */
  name: string
}

const keyOf = (file: string, name: string) => `${file} ${name}`

/** The component that a name means in a file: of the file itself, imported, or loaded on demand. */
function meantBy(
  name: string,
  { source, bindings }: Scope,
  own: ReadonlySet<string>,
  lazy: ReadonlyMap<string, string>,
) {
  if (bindings.has(name)) return undefined
  const here = keyOf(source.path, name)
  if (own.has(here)) return here
  const imported = source.imports.find(({ names }) => names.includes(name))
  if (imported?.file) return keyOf(imported.file, name)
  return lazy.get(here) ?? (typed.includes(name) ? name : undefined)
}

/** Components that load on demand: `const Editor = lazyPart(() => import('./Editor.tsx'))` means its only component of that name, or its default. */
function lazyIn(source: Source): [string, string][] {
  return source.program.body.flatMap((statement): [string, string][] => {
    if (statement.type !== 'VariableDeclaration') return []
    return statement.declarations.flatMap(({ id, init }): [string, string][] => {
      if (id.type !== 'Identifier' || calleeOf(init as Node) !== 'lazyPart') return []
      const from = /import\('(\.[^']+)'\)/.exec(source.text.slice(init?.start, init?.end))?.[1]
      const file = from && source.imports.find((one) => one.from === from)?.file
      const name = from && /([^/]+)\.tsx$/.exec(from)?.[1]
      return file && name ? [[keyOf(source.path, id.name), keyOf(file, name)]] : []
    })
  })
}

/**
 * Inputs whose text is in a state that nothing keeps, or in the element alone. A component whose text comes from its properties is an input
 * itself: its users are checked.
 */
export function lostInputs(files: readonly Source[]): LostInput[] {
  const scopes = files.flatMap(scopesOf)
  const own = new Set(scopes.map(({ source, name }) => keyOf(source.path, name)))
  const lazy = new Map(files.flatMap(lazyIn))
  /** Components that are inputs, with the properties that carry their text. */
  const inputs = new Map<string, Set<string>>(typed.map((name) => [name, carriers]))
  const lost = new Map<string, LostInput>()
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false
    lost.clear()
    for (const scope of scopes) {
      const kept = keptIn(scope)
      visit(scope.node, (node) => {
        if (node.type !== 'JSXOpeningElement' || node.name.type !== 'JSXIdentifier') return
        const { name } = node.name
        const meant = meantBy(name, scope, own, lazy)
        const carrying = meant && inputs.get(meant)
        if (!carrying) return
        const attributes = new Map(
          node.attributes.flatMap((one) =>
            one.type === 'JSXAttribute' && one.name.type === 'JSXIdentifier' ? [[one.name.name, one.value]] : [],
          ),
        )
        const type = attributes.get('type')
        if (type?.type === 'Literal' && chosenTypes.has(String(type.value))) return
        const spread = node.attributes.flatMap((one) =>
          one.type === 'JSXSpreadAttribute' ? [one.argument as Node] : [],
        )
        const given = [...attributes].flatMap(([attribute, value]) =>
          value && (carrying.has(attribute) || (carrying.has('*') && carriers.has(attribute))) ? [value as Node] : [],
        )
        const isNative = typed.includes(meant)
        const isAlone = isNative && spread.length === 0 && (given.length === 0 || attributes.has('defaultValue'))
        const roots = [...given, ...spread].map((one) => rootsOf(one, scope, kept))
        if (roots.some(({ isKept }) => isKept)) return
        if (isAlone || roots.some(({ states }) => states.size > 0)) {
          const place = placeOf(scope.source, node.start)
          lost.set(place, { place, name: `${scope.name} ${name}` })
          return
        }
        const key = keyOf(scope.source.path, scope.name)
        for (const prop of roots.flatMap(({ props }) => [...props])) {
          const known = inputs.get(key) ?? new Set<string>()
          if (known.has(prop)) continue
          inputs.set(key, known.add(prop))
          hasGrown = true
        }
      })
    }
  }
  return [...lost.values()]
}
