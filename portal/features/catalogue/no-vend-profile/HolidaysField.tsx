import { Box, Button, Group, Input, Pill, Popover, Stack, Text } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayIn } from '#domain/time/period.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useField } from '#portal/ui/form/fields/useField.tsx'
import type { DrawField } from '#portal/ui/form/record/RecordFields.tsx'
import { lazyPart, Part } from '#portal/ui/part/lazyPart.tsx'

const Days = lazyPart(() => import('./HolidayCalendar.tsx'))

/** Holidays, chosen in a calendar. */
export const HolidaysField: DrawField = ({ values: _, merchantId: __, isNullable: ___, ...props }) => {
  const { t } = useTranslation('no-vend-profile')
  const format = useFormat()
  const { timeZone } = useMerchant()
  const [isOpen, setOpen] = useState(false)
  const { value, set, input, isFixed } = useField<string[], Record<string, unknown>>(props)
  return (
    <Stack gap="part" miw={0} className="whole">
      <Text c="dimmed" fz="fine" lh="fine">
        {t('hint.holidays')}
      </Text>
      <Group component="ul" gap="snug" aria-label={props.label}>
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
        {value.length === 0 && (
          <Box component="li" c="dimmed" fz="fine" lh="fine">
            {t('holiday.none')}
          </Box>
        )}
      </Group>
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
    </Stack>
  )
}
