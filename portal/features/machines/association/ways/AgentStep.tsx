import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MachineRow, machines } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { Segments } from '#portal/ui/value/Segments.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from '../Association.module.css'
import { CodeBlock } from '../CodeBlock.tsx'
import { Waiting } from '../Waiting.tsx'
import { FirstAudit } from './FirstAudit.tsx'
import { Wiring } from './Wiring.tsx'
import { agentLines, type Protocol, protocols } from './ways.ts'

interface Props {
  merchantId: string
  serial: string
  name: string | null
  /** The machine, once its agent has associated it. */
  machine: MachineRow | undefined
  failure: unknown
  retry: () => void
}

/** What to buy and connect, the commands for the computer at the machine, and what its port says. */
export default function AgentStep({ merchantId, serial, name, machine, failure, retry }: Props) {
  const { t } = useTranslation(['agent-set-up', 'association'])
  const [protocol, choose] = useState<Protocol>('dex')
  const info = useQuery(queryOf(machines.getAssociation, { params: { merchantId } }))
  const error = failure ?? (info.data ? undefined : info.error)
  if (error) return <ErrorState error={error} retry={failure ? retry : info.refetch} isSmall />
  if (machine)
    return (
      <Stack gap="part">
        <p role="status">
          <Badge tone="ok" mark="check">
            {t('association:attached', { name: machine.name })}
          </Badge>
        </p>
        <FirstAudit machine={machine} />
      </Stack>
    )
  return (
    <Stack gap="part">
      <section>
        <Title order={3} mb="snug" fz={14.5} fw={650} lh="md">
          {t('buy.title')}
        </Title>
        <Stack component="ul" gap="snug" className="marked">
          {(['computer', 'adapter', 'plug'] as const).map((part) => (
            <li key={part}>{t(`buy.${part}`)}</li>
          ))}
        </Stack>
      </section>
      <section>
        <Title order={3} mb="snug" fz={14.5} fw={650} lh="md">
          {t('wiring.title')}
        </Title>
        <Wiring />
        <Text c="dimmed" fz="sm">
          {t('wiring.levels')}
        </Text>
      </section>
      <section>
        <Title order={3} mb="snug" fz={14.5} fw={650} lh="md">
          {t('run.title')}
        </Title>
        <Stack gap="near" align="flex-start" mb="near">
          <Segments
            name={t('run.protocol')}
            value={protocol}
            choose={choose}
            options={protocols.map((value) => ({ value, label: t(`run.${value}`) }))}
          />
          <p className={classes.text}>{t('run.text')}</p>
        </Stack>
        {info.data && <CodeBlock name={t('run.name')} code={agentLines(info.data, { serial, name, protocol })} />}
      </section>
      <Waiting>{t('association:waiting', { serial })}</Waiting>
    </Stack>
  )
}
