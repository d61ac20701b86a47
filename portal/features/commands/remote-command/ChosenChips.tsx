import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useIsPhone } from '#portal/ui/useIsPhone.ts'
import classes from './ChosenChips.module.css'
import type { ChosenMachines } from './wizard/useChosenMachines.ts'

/** Chips shown at first, and added with each request. */
const first = { wide: 12, phone: 4 }
const step = 100

/** The chosen machines, each with a remove button. */
export function ChosenChips({ chosen }: { chosen: ChosenMachines }) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const isPhone = useIsPhone()
  const [extra, setExtra] = useState(0)
  const count = chosen.machines.length
  const shown = (isPhone ? first.phone : first.wide) + extra
  const rest = count - shown
  return (
    <Group gap="snug" className={classes.chosen}>
      <Text span mr="snug" fw={600} role="status">
        {count === 0 ? t('device.none') : t('device.chosen', { count, number: format.number(count) })}
      </Text>
      {chosen.machines.slice(0, shown).map((machine) => (
        <span key={machine.id} className={classes.chip}>
          <Text span truncate>
            {machine.name}
          </Text>
          <UnstyledButton
            className={`${classes.remove} lights inks`}
            aria-label={t('device.remove', { machine: machine.name })}
            onClick={() => chosen.set([machine], false)}
          >
            <IconX size={13} aria-hidden />
          </UnstyledButton>
        </span>
      ))}
      {rest > 0 && (
        <UnstyledButton className={`${classes.moreChips} lights inks`} onClick={() => setExtra(extra + step)}>
          {t('device.moreChips', { count: rest, number: format.number(rest) })}
        </UnstyledButton>
      )}
      {count > 1 && (
        <Button variant="subtle" size="compact-sm" onClick={chosen.clear}>
          {t('device.clear')}
        </Button>
      )}
    </Group>
  )
}
