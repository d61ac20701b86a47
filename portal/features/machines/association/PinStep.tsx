import { Box, Button, Stack, Text } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type AssociationInfo, type MachineRow, machines } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'
import { announce } from '#portal/ui/dialog/announce.ts'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { copyText } from '#portal/ui/value/CopyId.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './Association.module.css'
import { OneTimeCode } from './OneTimeCode.tsx'
import { Waiting } from './Waiting.tsx'

interface Props {
  merchantId: string
  serial: string
  /** The machine, once it has arrived. */
  machine: MachineRow | undefined
  /** The error that stopped the association. */
  failure: unknown
  retry: () => void
}

/** The PIN to enter at the machine, and whether the machine has arrived. */
export function PinStep({ merchantId, serial, machine, failure, retry }: Props) {
  const { t } = useTranslation('association')
  const info = useQuery(queryOf(machines.getAssociation, { params: { merchantId } }))
  const error = failure ?? (info.data ? undefined : info.error)
  if (error) return <ErrorState error={error} retry={failure ? retry : info.refetch} isSmall />
  if (machine) return <ArrivedMachine machine={machine} />
  return (
    <Stack gap="part">
      <Stack component="ol" gap="snug" className="marked">
        <li>{t('guide.menu')}</li>
        <li>{t('guide.enter', { serial })}</li>
      </Stack>
      <Pin info={info.data} />
      <Waiting>{t('waiting', { serial })}</Waiting>
      <Text c="dimmed" fz="sm">
        {t('guide.close')}
      </Text>
      <details className={classes.trouble}>
        <summary>{t('guide.trouble')}</summary>
        <ul>
          <li>{t('guide.troublePin')}</li>
          <li>{t('guide.troubleOther')}</li>
          <li>{t('guide.troubleNetwork')}</li>
        </ul>
        <OneTimeCode merchantId={merchantId} serial={serial} />
      </details>
    </Stack>
  )
}

function Pin({ info }: { info: AssociationInfo | undefined }) {
  const { t } = useTranslation(['association', 'ui'])
  const copy = async (pin: string) => {
    if (await copyText(pin)) announce(t('ui:copy.done'))
  }
  return (
    <Stack
      gap="tight"
      align="center"
      p="md"
      bd="1px solid var(--gold-fill)"
      bdrs="lg"
      bg="var(--gold-soft)"
      ta="center"
      className={classes.pin}
    >
      <Text span fw={620}>
        {t('pin')}
      </Text>
      <Text
        span
        ff="monospace"
        fz="clamp(30px, 9vw, 44px)"
        fw={600}
        lh="1.25"
        lts="0.04em"
        className={classes.pinValue}
        aria-busy={info ? undefined : true}
      >
        {info ? `${info.pin.slice(0, 4)} ${info.pin.slice(4)}` : '···· ····'}
      </Text>
      {info && (
        <Button
          variant="subtle"
          leftSection={<IconCopy size={16} aria-hidden />}
          aria-label={t('ui:copy.do', { value: info.pin })}
          onClick={() => void copy(info.pin)}
        >
          {t('copyShort')}
        </Button>
      )}
      <Text span c="dimmed" fz="sm">
        {t('pinNote')}
      </Text>
    </Stack>
  )
}

function ArrivedMachine({ machine }: { machine: MachineRow }) {
  const { t } = useTranslation('association')
  const { name, serial, groupName, clientName } = machine
  return (
    <Stack gap="part" role="status">
      <p>
        <Badge tone="ok" mark="check">
          {t('attached', { name })}
        </Badge>
      </p>
      <Stack component="dl" gap="snug" className={classes.facts}>
        {[
          [t('serial'), serial],
          [t('group'), groupName ?? t('noGroup')],
          [t('client'), clientName ?? t('noClient')],
        ].map(([term, value]) => (
          <div key={term}>
            <Box component="dt" c="dimmed">
              {term}
            </Box>
            <Box component="dd" className="breaks">
              {value}
            </Box>
          </div>
        ))}
      </Stack>
    </Stack>
  )
}
