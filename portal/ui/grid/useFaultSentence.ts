import { useTranslation } from 'react-i18next'
import { useRuleSentence } from '../form/useRuleSentence.ts'
import type { Fault } from './cell.ts'

/** The reason why a cell's text is invalid. */
export function useFaultSentence() {
  const { t } = useTranslation('editing')
  const say = useRuleSentence()
  return (fault: Fault): string => {
    if ('sentence' in fault) return fault.sentence
    if ('rule' in fault) return say(fault.rule)
    return fault.key === 'choice' ? t('grid.choice', { options: fault.options }) : t(`grid.${fault.key}`)
  }
}
