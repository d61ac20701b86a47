import { InputBase, Popover } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Period } from '#domain/time/period.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { daysOf, PeriodPanel, usePeriodName } from '#portal/ui/time/PeriodPanel.tsx'
import { type FieldProps, useField } from '../fields/useField.tsx'

/** Calendar days of the merchant's zone, from the presets or a calendar. */
export function PeriodField<T extends Record<string, unknown>>(props: FieldProps<T>) {
  const { t } = useTranslation('form')
  const { timeZone } = useMerchant()
  const nameOf = usePeriodName()
  const [isOpen, setOpen] = useState(false)
  const { value, set, leave, input, isFixed } = useField<Period | null, T>(props)
  const { required: _, readOnly, ...inputProps } = input
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      onClose={leave}
      position="bottom-start"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <InputBase
          {...inputProps}
          component="button"
          type="button"
          pointer={!isFixed}
          data-readonly={readOnly || undefined}
          onClick={() => isFixed || setOpen((was) => !was)}
        >
          {value ? (
            nameOf([value.startDate, value.endDate])
          ) : (
            <span style={{ color: 'var(--ink-3)' }}>{t('field.period.choose')}</span>
          )}
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={input.label}>
        <PeriodPanel
          value={value ? [value.startDate, value.endDate] : []}
          choose={(days) => {
            set(daysOf(days, timeZone))
            setOpen(false)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
