import { Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Currency } from '#contract/vocabulary/world/currencies.ts'
import { useRuleSentence } from '#portal/ui/form/useRuleSentence.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import { type Draft, parameterFaults } from './commandOrder.ts'
import { isNamed, ObjectField } from './ObjectField.tsx'
import { PriceRows, SettingRows } from './ParameterRows.tsx'
import { useFaults } from './useFaults.ts'

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  currency: Currency | undefined
}

const sendConfig = 6
const sendPrices = 10

/** The parameters of a command, checked by the contract's own schema. */
export function CommandFields({ draft, change, currency }: Props) {
  const { t } = useTranslation('remote-command')
  const say = useRuleSentence()
  const brokenRules = parameterFaults(draft, currency)
  const faults = useFaults(brokenRules)
  const { type = 0 } = draft
  if (type === sendConfig || type === sendPrices) {
    const rows = { draft, change, faults, currency }
    const fault = brokenRules[''] ?? brokenRules[type === sendConfig ? 'settings' : 'prices']
    return (
      <Stack gap="sm" maw={640} pt="hair" pb="snug">
        {type === sendConfig ? <SettingRows {...rows} /> : <PriceRows {...rows} />}
        {fault && (
          <Note tone="warn" bdrs="inner" role="alert">
            {fault.key === 'rule.choice' ? t('field.twice') : say(fault)}
          </Note>
        )}
      </Stack>
    )
  }
  return isNamed(type) ? <ObjectField key={type} {...{ type, draft, change, faults }} /> : null
}
