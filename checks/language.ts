import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { readLanguage } from '#server/words/language-files.ts'
import { type Node, placeOf, root, type Source, visit } from './sources.ts'

/** A feature's sentences by their full keys: `menu.groups.admin`. */
export type Sentences = Map<string, string>

/** Every sentence in the folder language/, by language and feature. */
export const readLanguages = (): Map<string, Map<string, Sentences>> =>
  new Map(
    globSync('language/*/', { cwd: root }).map((path) => {
      const language = basename(path)
      const files = Object.entries(readLanguage(language))
      return [language, new Map(files.map(([feature, words]) => [feature, flatten(words)]))]
    }),
  )

export function flatten(words: unknown, prefix = ''): Sentences {
  const sentences: Sentences = new Map()
  for (const [key, value] of Object.entries(words as Record<string, unknown>)) {
    if (typeof value === 'string') sentences.set(prefix + key, value)
    else for (const [inner, sentence] of flatten(value, `${prefix}${key}.`)) sentences.set(inner, sentence)
  }
  return sentences
}

const pluralForm = /^(.*)_(zero|one|two|few|many|other)$/

/** The key without its plural form, when the file has forms of it (i18next's suffixes). */
function stemOf(key: string, sentences: Sentences): { stem: string; form: string | undefined } {
  const [, stem, form] = pluralForm.exec(key) ?? []
  return stem !== undefined && sentences.has(`${stem}_other`) ? { stem, form } : { stem: key, form: undefined }
}

type Message = { sentences: string[]; forms: string[] }

function messagesOf(sentences: Sentences): Map<string, Message> {
  const messages = new Map<string, Message>()
  for (const [key, sentence] of sentences) {
    const { stem, form } = stemOf(key, sentences)
    const message = messages.get(stem) ?? { sentences: [], forms: [] }
    message.sentences.push(sentence)
    if (form) message.forms.push(form)
    messages.set(stem, message)
  }
  return messages
}

/** What a sentence is filled with: `{{name}}`, `$t(other)`, `<0>`; their order is each language's own. */
const slotsOf = ({ sentences }: Message) =>
  new Set(
    sentences
      .flatMap((sentence) => sentence.match(/\{\{-?\s*[\w.]+|\$t\([^)]*\)|<\/?\w+\/?>/g) ?? [])
      .map((slot) => slot.replaceAll(' ', '')),
  )

/** What a language's file lacks or has too much of, against the English master. */
export function languageFaults(language: string, feature: string, master: Sentences, translated: Sentences): string[] {
  const faults: string[] = []
  const fault = (key: string, what: string) => faults.push(`language/${language}/${feature}.json: ${key} ${what}`)
  const theirs = messagesOf(master)
  const ours = messagesOf(translated)
  for (const key of theirs.keys()) if (!ours.has(key)) fault(key, 'is missing')
  for (const [key, message] of ours) {
    const english = theirs.get(key)
    if (!english) {
      fault(key, 'is not in English')
      continue
    }
    if (message.sentences.some((sentence) => sentence.trim() === '')) fault(key, 'is empty')
    if (english.forms.length > 0) {
      const wanted = new Set<string>(new Intl.PluralRules(language).resolvedOptions().pluralCategories)
      // i18next's own: a sentence apart for none at all.
      if (english.forms.includes('zero')) wanted.add('zero')
      const missing = [...wanted].filter((form) => !message.forms.includes(form))
      const idle = message.forms.filter((form) => !wanted.has(form))
      if (missing.length > 0) fault(key, `lacks the plural ${missing.join(', ')}`)
      if (idle.length > 0) fault(key, `has the plural ${idle.join(', ')}, which ${language} does not know`)
    }
    const wanted = slotsOf(english)
    const found = slotsOf(message)
    const differing = [
      ...[...wanted].filter((slot) => !found.has(slot)),
      ...[...found].filter((slot) => !wanted.has(slot)),
    ].filter((slot) => slot !== '{{count')
    if (differing.length > 0) fault(key, `differs from English in ${differing.join(', ')}`)
    if (language !== 'en' && isSentence(message.sentences[0]) && message.sentences[0] === english.sentences[0])
      fault(key, 'is still in English')
  }
  return faults
}

const isSentence = (text = '') => text.split(/\s+/).filter((word) => /^\p{Ll}{3,}/u.test(word)).length >= 4

export type UsedKey = {
  /** The features that may have the sentence; empty when the code does not say. */
  features: string[]
  /** The key; a `*` stands for what is only known at run time. */
  key: string
  place: string
}

/**
 * The sentence keys that a file uses: through `useTranslation(feature)` in the portal, `wordsIn(language, feature)` on the
 * server, the keys that a list's frame uses, and keys kept for later with their feature before them, such as
 * `vocabulary:connection.online`.
 */
export function usedKeys(source: Source, features: ReadonlySet<string>): UsedKey[] {
  const found: UsedKey[] = []
  visit(source.program, (node, ancestors) => {
    if (node.type === 'Literal' || node.type === 'TemplateLiteral') {
      for (const pattern of patternsOf(node)) {
        const [, feature = '', key = ''] = /^([\w-]+):([\w.*-]+)$/.exec(pattern) ?? []
        if (features.has(feature)) found.push({ features: [feature], key, place: placeOf(source, node.start) })
      }
    }
    if (node.type === 'JSXOpeningElement')
      found.push(...keysOfList(node).map((said) => ({ ...said, place: placeOf(source, node.start) })))
    if (node.type !== 'CallExpression') return
    const called = nameOf(node.callee)
    const spoken = called && featuresOf(called, ancestors)
    if (!spoken) return
    const [first, options] = node.arguments
    if (!first) return
    for (const pattern of patternsOf(first)) {
      if (pattern.includes(':')) continue
      found.push({ features: optionOf(options, 'ns') ?? spoken, key: pattern, place: placeOf(source, node.start) })
    }
  })
  return found
}

/** The sentences that a list's frame asks for by its `words`, unless the list says them itself. */
function keysOfList(node: Node & { type: 'JSXOpeningElement' }) {
  const given = new Map(
    node.attributes.flatMap((one) =>
      one.type === 'JSXAttribute' ? [[String(one.name.name), one.value] as const] : [],
    ),
  )
  const isList = node.name.type === 'JSXIdentifier' && node.name.name === 'ListScreen'
  const [feature] = isList ? (textsOf(given.get('words')) ?? []) : []
  if (!feature) return []
  const keys = [...(given.has('title') ? [] : ['title']), ...(given.has('empty') ? [] : ['empty.title', 'empty.text'])]
  return keys.map((key) => ({ features: [feature], key }))
}

function nameOf(callee: Node): string | undefined {
  if (callee.type === 'Identifier') return callee.name
  const isI18next =
    callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'i18next'
  return isI18next && callee.property.type === 'Identifier' && callee.property.name === 't' ? 'i18next.t' : undefined
}

/** The features behind a function of that name here: by the nearest declaration around the call; none known for a parameter called t. */
function featuresOf(name: string, ancestors: readonly Node[]): string[] | undefined {
  for (const ancestor of ancestors.toReversed()) {
    if (ancestor.type !== 'BlockStatement' && ancestor.type !== 'Program') continue
    for (const statement of ancestor.body) {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (declaration?.type !== 'VariableDeclaration') continue
      for (const { id, init } of declaration.declarations) {
        if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') continue
        if (init.callee.name === 'wordsIn' && id.type === 'Identifier' && id.name === name)
          return textsOf(init.arguments[1]) ?? []
        if (init.callee.name !== 'useTranslation' || id.type !== 'ObjectPattern') continue
        for (const property of id.properties) {
          const isT = property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === 't'
          if (isT && property.value.type === 'Identifier' && property.value.name === name)
            return textsOf(init.arguments[0]) ?? []
        }
      }
    }
  }
  return name === 't' || name === 'i18next.t' ? [] : undefined
}

function textsOf(node: Node | undefined | null): string[] | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node?.type === 'ArrayExpression') return node.elements.flatMap((element) => textsOf(element) ?? [])
  return undefined
}

function optionOf(options: Node | undefined, name: string): string[] | undefined {
  if (options?.type !== 'ObjectExpression') return undefined
  for (const property of options.properties) {
    if (property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === name)
      return textsOf(property.value)
  }
  return undefined
}

/** The texts that an expression may evaluate to, as far as the code shows. */
function patternsOf(node: Node): string[] {
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'ConditionalExpression') return [...patternsOf(node.consequent), ...patternsOf(node.alternate)]
  if (node.type === 'LogicalExpression') return [...patternsOf(node.left), ...patternsOf(node.right)]
  if (node.type === 'TemplateLiteral') {
    const pattern = node.quasis.map((part) => part.value.cooked ?? '').join('*')
    return pattern.replaceAll('*', '') === '' ? [] : [pattern]
  }
  return []
}

/** Is there a sentence for this key, in one of its features? */
export function isSaid({ features, key }: UsedKey, master: Map<string, Sentences>): boolean {
  const places = features.length > 0 ? features.map((feature) => master.get(feature)) : [...master.values()]
  const pattern = key.includes('*') && new RegExp(`^${key.replaceAll('.', '\\.').replaceAll('*', '.+')}$`)
  return places.some((sentences) => {
    if (!sentences) return false
    const stems = stemsOf(sentences)
    return pattern ? [...stems].some((stem) => pattern.test(stem)) : stems.has(key)
  })
}

const stems = new WeakMap<Sentences, Set<string>>()

/** All keys, and each with its endings for plurals and contexts left off, one by one. */
function stemsOf(sentences: Sentences): Set<string> {
  let known = stems.get(sentences)
  if (!known) {
    known = new Set()
    for (const key of sentences.keys())
      for (let stem = key; stem !== ''; stem = stem.slice(0, Math.max(0, stem.lastIndexOf('_')))) known.add(stem)
    stems.set(sentences, known)
  }
  return known
}
