import { Box, Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import type { Machine } from '#contract/machines/machine.ts'
import { machineActs } from '#contract/machines/machine-acts.ts'
import { useCommand } from '#portal/app/api.ts'
import { instantOf, useFormat } from '#portal/app/i18n/format.ts'
import { useSession } from '#portal/app/session/useSession.ts'
import { OneTimeCode } from '../association/OneTimeCode.tsx'
import classes from './Machine.module.css'

/** Shows how long a machine can associate again with the PIN alone, and ends that period. */
export function ReassociationBanner({ machine }: { machine: Machine }) {
  const { t } = useTranslation(['machine-act', 'association'])
  const format = useFormat()
  const { me } = useSession()
  const end = useCommand(machineActs.allowReassociation, { says: 'machine-act:reassociation.off' })
  const until = instantOf(machine.reassociationUntil)
  if (!until) return null
  const { merchantId, id: posId, serial, timeZone } = machine
  return (
    <section className={classes.banner} data-tone="info" aria-label={t('reassociation.act')}>
      <IconKey size={18} aria-hidden />
      <Box flex="1 1 300px" miw={0} className={`${classes.said} breaks`}>
        {t('reassociation.banner', { time: format.instant(until, 'minute', timeZone) })}
        {me && roleMay(me.role, 'machine.associate') && (
          <details className={classes.more}>
            <summary>{t('association:guide.trouble')}</summary>
            <OneTimeCode merchantId={merchantId} serial={serial} />
          </details>
        )}
      </Box>
      {me && roleMay(me.role, 'machine.reassociate') && (
        <Button
          variant="default"
          loading={end.isPending}
          onClick={() => end.mutate({ params: { merchantId, posId }, body: { allowed: false } })}
        >
          {t('reassociation.end')}
        </Button>
      )}
    </section>
  )
}
