import { Button, Group, Text, UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useIsPhone } from '#portal/ui/useIsPhone.ts'
import classes from './MachineChips.module.css'
import type { MachineSelection } from './wizard/useMachineSelection.ts'

/** Chips shown at first, and added with each request. */
const first = { wide: 12, phone: 4 }
const step = 100

/** The chosen machines, each with a remove button. */
export function MachineChips({ machineSelection }: { machineSelection: MachineSelection }) {
  const { t } = useTranslation('remote-command')
  const format = useFormat()
  const isPhone = useIsPhone()
  const [extra, setExtra] = useState(0)
  const count = machineSelection.machines.length
  const visibleCount = (isPhone ? first.phone : first.wide) + extra
  const rest = count - visibleCount
  return (
    <Group gap="snug" className={classes.chosen}>
      <Text span mr="snug" fw={600} role="status">
        {count === 0 ? t('device.none') : t('device.chosen', { count, number: format.number(count) })}
      </Text>
      {machineSelection.machines.slice(0, visibleCount).map((machine) => (
        <span key={machine.id} className={classes.chip}>
          <Text span truncate>
            {machine.name}
          </Text>
          <UnstyledButton
            className={`${classes.remove} lights inks`}
            aria-label={t('device.remove', { machine: machine.name })}
            onClick={() => machineSelection.set([machine], false)}
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
        <Button variant="subtle" size="compact-sm" onClick={machineSelection.clear}>
          {t('device.clear')}
        </Button>
      )}
    </Group>
  )
}
