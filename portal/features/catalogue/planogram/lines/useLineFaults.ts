import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { NewPlanogram } from '#contract/catalogue/planogram.ts'
import { ruleOf, valueAt } from '#contract/rules/rule-of.ts'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import type { LineDraft } from './lineDraft.ts'

/** Why cells are invalid, by `row.column`, in the order of the rows. */
export function useLineFaults(lines: readonly LineDraft[]): ReadonlyMap<string, string> {
  const { t } = useTranslation('planogram')
  const say = useRuleSentence()
  return useMemo(() => {
    const faults = new Map<string, string>()
    for (const issue of NewPlanogram.shape.lines.safeParse(lines).error?.issues ?? []) {
      const path = issue.path.join('.')
      const value = valueAt(lines, issue.path)
      const { key, values } = ruleOf(issue, value)
      const { other } = values ?? {}
      const rule = { key, ...(values && { values: { ...values, ...(other ? { other: t(`line.${other}`) } : {}) } }) }
      const isProduct = path.endsWith('.productId')
      if (!faults.has(path)) faults.set(path, isProduct ? t('fault.product', { text: String(value) }) : say(rule))
    }
    return faults
  }, [lines, say, t])
}
