import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MachineRow, machines } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'
import { useMerchantOf } from '#portal/app/merchant.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from '../Association.module.css'
import { attachLines } from '../attachLines.ts'
import { CodeBlock } from '../CodeBlock.tsx'
import { newIds } from '../messageIds.ts'
import { Waiting } from '../Waiting.tsx'
import { FirstAudit } from './FirstAudit.tsx'

interface Props {
  merchantId: string
  serial: string
  name: string | null
  machine: MachineRow | undefined
  failure: unknown
  retry: () => void
}

/** A machine of which the portal gets audit files alone: how it is associated once, and how each file is sent. */
export default function FilesStep({ merchantId, serial, name, machine, failure, retry }: Props) {
  const { t } = useTranslation(['agent-set-up', 'association'])
  const { timeZone } = useMerchantOf(merchantId)
  const [ids] = useState(newIds)
  const info = useQuery(queryOf(machines.getAssociation, { params: { merchantId } }))
  const error = failure ?? (info.data ? undefined : info.error)
  if (error) return <ErrorState error={error} retry={failure ? retry : info.refetch} isSmall />
  const lines = info.data && attachLines(info.data, { serial, deviceType: 'AZVT', name: name ?? '', timeZone }, ids)
  return (
    <Stack gap="part">
      <p className={classes.text}>{t('files.text')}</p>
      {machine ? (
        <p role="status">
          <Badge tone="ok" mark="check">
            {t('association:attached', { name: machine.name })}
          </Badge>
        </p>
      ) : (
        lines && <CodeBlock name={t('association:step.associate')} code={lines.associate} />
      )}
      {lines && <CodeBlock name={t('association:step.audit')} code={lines.audit} />}
      <p className={classes.text}>
        {t('files.fleet')}{' '}
        <PlaceLink place={{ to: '/manage/audit-files' }} className={classes.link}>
          {t('files.link')}
        </PlaceLink>
      </p>
      {machine ? <FirstAudit machine={machine} /> : <Waiting>{t('association:waiting', { serial })}</Waiting>}
    </Stack>
  )
}
