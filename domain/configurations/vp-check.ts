import { isJsonObject as isObject, type Json } from '#contract/configurations/vp-document.ts'
import { type BrokenRule, broken } from '#contract/frame/broken.ts'
import { sayContradictions } from './vp-rules.ts'
import { nodeOf, type VpNode, type VpSchema } from './vp-schema.ts'

/** A value that breaks a rule of its schema. */
export interface VpProblem {
  /** Dotted: `recipes.3.steps.0.amount`. */
  path: string
  rule: BrokenRule
}

/** At most so many problems of a document are listed. */
export const mostVpProblems = 200

const under = (path: string, name: string | number) => (path === '' ? String(name) : `${path}.${name}`)
/** Steps of 0.1 are not exact in binary numbers. */
const isMultiple = (value: number, step: number) => Math.abs(value / step - Math.round(value / step)) < 1e-6

/**
 * The problems of a document: by the keywords that the shipped schemas use, and by the rules between parameters. The form checks with this while a user types, without the code
 * generation of a full validator, which the portal's content security policy forbids. The server decides with ajv; a test compares both.
 */
export function vpProblemsOf(schema: VpSchema, document: Json): VpProblem[] {
  const problems: VpProblem[] = []
  const say: Say = (path, rule) => problems.length < mostVpProblems && problems.push({ path, rule })
  check(schema, schema, document, '', say)
  sayContradictions(schema, document, say)
  return problems
}

type Say = (path: string, rule: BrokenRule) => unknown

function check(schema: VpSchema, raw: VpNode, value: Json | undefined, path: string, say: Say): void {
  const node = nodeOf(schema, raw)
  if (value === undefined) return void say(path, broken('required'))
  if (node.enum) return void (node.enum.includes(value as string | number) || say(path, broken('choice')))
  if (node.type === 'object') return checkObject(schema, node, value, path, say)
  if (node.type === 'array') return checkList(schema, node, value, path, say)
  if (node.type === 'boolean') return void (typeof value === 'boolean' || say(path, broken('format')))
  if (node.type === 'string') return checkText(node, value, path, say)
  checkNumber(node, value, path, say)
}

function checkObject(schema: VpSchema, node: VpNode, value: Json, path: string, say: Say): void {
  if (!isObject(value)) return void say(path, broken('format'))
  const properties = node.properties ?? {}
  for (const name of Object.keys(value))
    if (!Object.hasOwn(properties, name)) say(under(path, name), broken('unknownParameter'))
  for (const [name, of] of Object.entries(properties))
    check(schema, of, Object.hasOwn(value, name) ? value[name] : undefined, under(path, name), say)
}

function checkList(schema: VpSchema, { items = {}, ...node }: VpNode, value: Json, path: string, say: Say): void {
  if (!Array.isArray(value)) return void say(path, broken('format'))
  if (node.minItems !== undefined && value.length < node.minItems) say(path, broken('required'))
  if (node.maxItems !== undefined && value.length > node.maxItems)
    say(path, broken('maximum', { maxValue: node.maxItems }))
  if (node.uniqueItems && new Set(value.map((one) => JSON.stringify(one))).size < value.length)
    say(path, broken('unique'))
  for (const [index, one] of value.entries()) check(schema, items, one, under(path, index), say)
}

function checkText(node: VpNode, value: Json, path: string, say: Say): void {
  if (typeof value !== 'string') return void say(path, broken('format'))
  const length = [...value].length
  if (node.minLength !== undefined && length < node.minLength) say(path, broken('required'))
  if (node.maxLength !== undefined && length > node.maxLength)
    say(path, broken('maxLength', { maxLength: node.maxLength }))
  if (node.pattern !== undefined && !new RegExp(node.pattern, 'u').test(value)) say(path, broken('format'))
}

function checkNumber({ type, minimum, maximum, multipleOf }: VpNode, value: Json, path: string, say: Say): void {
  if (typeof value !== 'number') return void say(path, broken(value === null ? 'required' : 'number'))
  if (type === 'integer' && !Number.isInteger(value)) say(path, broken('whole'))
  if (minimum !== undefined && value < minimum) say(path, broken('minimum', { minValue: minimum }))
  if (maximum !== undefined && value > maximum) say(path, broken('maximum', { maxValue: maximum }))
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) say(path, broken('multiple', { step: multipleOf }))
}
