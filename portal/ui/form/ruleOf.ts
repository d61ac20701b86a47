import type { z } from 'zod'

/** A broken rule: the key of its sentence under `rule` in ui.json, and the numbers it speaks of. */
export interface BrokenRule {
  key: string
  values?: Record<string, unknown>
}

const formats: Record<string, string> = { email: 'email', url: 'url', date: 'date', uuid: 'choice', regex: 'format' }

/**
 * The sentence of an issue of the contract's schema. A refinement names its own sentence: its message is the key
 * (`rule.vatCode`), so that the contract says each rule once and the portal each sentence once.
 */
export function ruleOf(issue: z.core.$ZodIssue, value: unknown): BrokenRule {
  const isEmpty = value === undefined || value === null || value === ''
  switch (issue.code) {
    case 'invalid_type':
      return {
        key: isEmpty
          ? 'rule.required'
          : issue.expected === 'int'
            ? 'rule.whole'
            : issue.expected === 'number'
              ? 'rule.number'
              : 'rule.format',
      }
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array')
        return isEmpty || issue.minimum === 1
          ? { key: 'rule.required' }
          : { key: 'rule.minLength', values: { minLength: issue.minimum } }
      if (issue.minimum === 0) return { key: issue.inclusive ? 'rule.minimumZero' : 'rule.greaterThanZero' }
      return { key: 'rule.minimum', values: { minValue: issue.minimum } }
    case 'too_big':
      if (issue.origin === 'string' || issue.origin === 'array')
        return { key: 'rule.maxLength', values: { maxLength: issue.maximum } }
      return { key: 'rule.maximum', values: { maxValue: issue.maximum } }
    case 'invalid_format':
      return isEmpty ? { key: 'rule.required' } : { key: `rule.${formats[issue.format] ?? 'format'}` }
    case 'invalid_value':
    case 'invalid_union':
      return { key: isEmpty ? 'rule.required' : 'rule.choice' }
    case 'custom':
      return /^rule\.\w+$/.test(issue.message) ? { key: issue.message } : { key: 'rule.format' }
    default:
      return { key: 'rule.format' }
  }
}

/** The value at a path. */
export const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (found, key) => (found && typeof found === 'object' ? (found as Record<PropertyKey, unknown>)[key] : undefined),
    values,
  )
