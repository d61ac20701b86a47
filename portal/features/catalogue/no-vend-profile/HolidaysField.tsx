import { Button, Input, Pill, Popover } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayIn } from '#domain/time/period.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import { lazyPart, Part } from '#portal/ui/page/lazyPart.tsx'
import classes from './NoVendProfile.module.css'

const Days = lazyPart(() => import('./HolidayCalendar.tsx'))

/** Holidays, chosen in a calendar. */
export const HolidaysField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation('no-vend-profile')
  const format = useFormat()
  const { timeZone } = useMerchant()
  const [isOpen, setOpen] = useState(false)
  const { value, set, input, isFixed } = useField<string[], Record<string, unknown>>(props)
  return (
    <div className={classes.wide}>
      <p className={classes.hint}>{t('hint.holidays')}</p>
      <ul className={classes.chosen} aria-label={props.label}>
        {value.toSorted().map((day) => (
          <li key={day}>
            <Pill
              withRemoveButton={!isFixed}
              onRemove={() => set(value.filter((one) => one !== day))}
              removeButtonProps={{
                'aria-label': t('holiday.remove', { day: format.day(day) }),
                'aria-hidden': false,
                tabIndex: 0,
              }}
            >
              {format.day(day)}
            </Pill>
          </li>
        ))}
        {value.length === 0 && <li className={classes.hint}>{t('holiday.none')}</li>}
      </ul>
      <div>
        <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus withinPortal>
          <Popover.Target>
            <Button
              variant="default"
              leftSection={<IconCalendar size={15} aria-hidden />}
              disabled={isFixed}
              onClick={() => setOpen((was) => !was)}
            >
              {t('holiday.open')}
            </Button>
          </Popover.Target>
          <Popover.Dropdown p={8} aria-label={t('holiday.open')}>
            <Part fallback={<div style={{ width: 220, height: 240 }} />}>
              <Days days={value} today={dayIn(new Date(), timeZone)} choose={set} />
            </Part>
          </Popover.Dropdown>
        </Popover>
      </div>
      {input.error && <Input.Error>{input.error}</Input.Error>}
    </div>
  )
}
