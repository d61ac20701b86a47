import { Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditFileRow } from '#contract/audits/audit-file.ts'
import { machines } from '#contract/machines/machine.ts'
import { useRecordSearch } from '#portal/ui/form/choices/useRecordSearch.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'

interface Props {
  row: AuditFileRow
  merchantId: string
  isFixed: boolean
  choose: (serial: string) => void
}

const optionOf = ({ name, serial }: { name: string; serial: string }) => ({
  value: serial,
  label: name === serial ? serial : `${name} (${serial})`,
})

/** The machine of a file, by what it is known, and another choice where the file may be stored. */
export function MachineOfFile({ row, merchantId, isFixed, choose }: Props) {
  const { t } = useTranslation('audit-file')
  const { machine, foundBy, names, outcome, fault } = row
  const isOpen = !isFixed && (outcome === 'unclear' || outcome === 'new' || fault === 'unknownSerial')
  return (
    <Stack gap="hair" maw={280}>
      {isOpen ? (
        <MachineSelect row={row} merchantId={merchantId} choose={choose} />
      ) : (
        machine && (
          <PlaceLink isPage place={{ to: '/devices/$posId/audits', params: { posId: machine.posId } }}>
            {optionOf(machine).label}
          </PlaceLink>
        )
      )}
      {foundBy && (
        <Text span c="dimmed" fz="sm">
          {t(`foundBy.${foundBy}`)}
        </Text>
      )}
      {!machine && names.length > 0 && (
        <Text span c="dimmed" fz="sm" className="breaks">
          {t('names', { names: names.join(', ') })}
        </Text>
      )}
    </Stack>
  )
}

function MachineSelect({ row: { name, machine }, merchantId, choose }: Omit<Props, 'isFixed'>) {
  const { t } = useTranslation(['audit-file', 'form'])
  const chosen = machine && optionOf(machine)
  const { input } = useRecordSearch({
    row: machines.listMachines,
    params: { merchantId },
    query: { hidden: 'all' },
    optionOf,
    selected: chosen ? [chosen] : [],
    ...(chosen && { initialText: chosen.label }),
  })
  return (
    <Select
      {...input}
      searchable
      size="xs"
      aria-label={t('audit-file:machineOf', { name })}
      value={chosen?.value ?? null}
      onChange={(serial) => serial && serial !== chosen?.value && choose(serial)}
      placeholder={t('form:field.choose')}
    />
  )
}
