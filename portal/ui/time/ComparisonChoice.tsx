import { Stack } from '@mantine/core'
import { IconArrowsLeftRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type Comparison, comparisons } from '#contract/frame/comparison.ts'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { oneOf, type Search } from '#portal/app/search.ts'
import { ChoiceButton } from './ChoiceButton.tsx'
import panel from './PeriodPanel.module.css'

interface Props {
  value: Comparison | undefined
  choose: (value: Comparison | undefined) => void
}

/** A button that names what the figures are compared with, and opens the choice. */
export function ComparisonChoice({ value, choose }: Props) {
  const { t } = useTranslation('list')
  return (
    <ChoiceButton
      label={
        <>
          <IconArrowsLeftRight size={14} aria-hidden />
          {t('compare.label')}
          {value && <strong>{t(`compare.${value}`)}</strong>}
        </>
      }
      name={t('compare.name')}
    >
      {(close) => (
        <Stack gap={1} p="near" role="group" aria-label={t('compare.name')}>
          {[undefined, ...comparisons].map((one) => (
            <button
              key={one ?? ''}
              type="button"
              className={`${panel.preset} lights`}
              aria-pressed={one === value}
              onClick={() => {
                choose(one)
                close()
              }}
            >
              {t(`compare.${one ?? 'none'}`)}
            </button>
          ))}
        </Stack>
      )}
    </ChoiceButton>
  )
}

/** The comparison that the address names (`compare`), and a function that writes another beside `more`. */
export function useComparisonSearch() {
  const search = useAddressQuery()
  const go = useGo()
  const addressValue = oneOf(search, 'compare')
  const comparison = comparisons.find((one) => one === addressValue)
  const set = (compare: Comparison | undefined, more: Search = {}) =>
    void go({ here: { ...more, compare } }, { replace: true, resetScroll: false })
  return { comparison, set }
}
