import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { alarms } from '#contract/alarms/alarm.ts'
import { audits } from '#contract/audits/audit.ts'
import type { MachineRow } from '#contract/machines/machine.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { Badge } from '#portal/ui/value/StatusBadge.tsx'
import classes from '../Association.module.css'
import { Waiting } from '../Waiting.tsx'

/** Polling interval, beside the live hints. */
const lookMs = 3_000
/** The event of an agent that cannot read its machine; its detail is the fault. */
const unreadable = 'AGENT_READ'

/** What the port says while a machine is attached, until its first audit is there, which is explained. */
export function FirstAudit({ machine }: { machine: MachineRow }) {
  const { t, i18n } = useTranslation('agent-set-up')
  const format = useFormat()
  const params = { merchantId: machine.merchantId, posId: machine.id }
  const read = useQuery({
    ...queryOf(audits.listAudits, { params, query: { size: 1 }, isWhole: true }),
    refetchInterval: ({ state }) => (state.data?.items.length ? false : lookMs),
  })
  const audit = read.data?.items[0]
  const faults = useQuery({
    ...queryOf(alarms.listMachineAlarms, {
      params,
      query: { codes: [unreadable], statuses: ['active', 'notification'], size: 1 },
      isWhole: true,
    }),
    refetchInterval: lookMs,
    enabled: !audit,
  })
  const fault = faults.data?.items[0]
  if (audit) {
    const { salesTotal, vendsTotal, currency, warnings } = audit
    return (
      <Stack gap="near" role="status">
        <p>
          <Badge tone="ok" mark="check">
            {t('first.arrived')}
          </Badge>
        </p>
        <p className={classes.text}>
          {salesTotal !== null && vendsTotal !== null && currency !== null
            ? t('first.totals', {
                count: vendsTotal,
                number: format.number(vendsTotal),
                amount: format.money(salesTotal, currency),
              })
            : t('first.noTotals')}
        </p>
        {warnings > 0 && (
          <Text c="warn">{t('first.warnings', { count: warnings, number: format.number(warnings) })}</Text>
        )}
        <PlaceLink
          isPage
          place={{ to: '/devices/$posId/audits', params: { posId: machine.id }, search: { audit: audit.id } }}
          className={classes.link}
        >
          {t('first.open')}
        </PlaceLink>
      </Stack>
    )
  }
  if (fault) {
    const known = fault.detail ? `fault.${fault.detail}` : ''
    return (
      <Stack gap="near" role="status">
        <p>
          <Badge tone="warn" mark="triangle">
            {t('first.unread')}
          </Badge>
        </p>
        <p className={classes.text}>{i18n.exists(`agent-set-up:${known}`) ? t(known) : fault.message}</p>
        <Text c="dimmed" fz="sm">
          {t('first.again')}
        </Text>
      </Stack>
    )
  }
  return <Waiting>{t('first.waiting')}</Waiting>
}
