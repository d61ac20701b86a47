import type { z } from 'zod'
import { type BrokenRule, broken, type RuleName, ruleNames } from '../frame/broken.ts'

const formats: Partial<Record<string, RuleName>> = { email: 'email', url: 'url', date: 'date', uuid: 'choice' }

const named = (message: string): RuleName | undefined => {
  const [, name] = /^rule\.(\w+)$/.exec(message) ?? []
  return ruleNames.find((one) => one === name)
}

/**
 * The rule that an issue of a schema is about. A check may name its own sentence (`saying('vatCode')`); all else follows from
 * what zod says. An empty value is missing, whatever its type.
 */
export function ruleOf(issue: z.core.$ZodIssue, value: unknown): BrokenRule {
  const isEmpty = value === undefined || value === null || value === ''
  const ruleName = named(issue.message)
  if (ruleName && !(isEmpty && issue.code === 'invalid_format'))
    return broken(ruleName, issue.code === 'custom' ? issue.params : undefined)
  switch (issue.code) {
    case 'invalid_type':
      if (isEmpty) return broken('required')
      return broken(issue.expected === 'int' ? 'whole' : issue.expected === 'number' ? 'number' : 'format')
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array')
        return isEmpty || issue.minimum === 1 ? broken('required') : broken('minLength', { minLength: issue.minimum })
      if (issue.minimum === 0) return broken(issue.inclusive ? 'minimumZero' : 'greaterThanZero')
      return broken('minimum', { minValue: issue.minimum })
    case 'too_big':
      if (issue.origin === 'string' || issue.origin === 'array')
        return broken('maxLength', { maxLength: issue.maximum })
      return broken('maximum', { maxValue: issue.maximum })
    case 'invalid_format':
      return broken(isEmpty ? 'required' : (formats[issue.format] ?? 'format'))
    case 'invalid_value':
    case 'invalid_union':
      return broken(isEmpty ? 'required' : 'choice')
    default:
      return broken('format')
  }
}

/** The value at a path. */
export const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (parent, key) => (parent && typeof parent === 'object' ? (parent as Record<PropertyKey, unknown>)[key] : undefined),
    values,
  )
