import { useTranslation } from 'react-i18next'
import type { MachineStats } from '#contract/insight/admin-stats.ts'
import { withoutDataDefault } from '#contract/machines/machine.ts'
import type { Connection } from '#contract/vocabulary/device.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { placeInMerchant } from '#portal/app/merchant.tsx'
import type { Place } from '#portal/app/place.ts'
import { Card } from '#portal/ui/page/Card.tsx'
import { connectionLooks } from '#portal/ui/value/looks.ts'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './AdminDashboard.module.css'
import { Figure } from './Figure.tsx'

const connections = [1, 0, 2] as const satisfies readonly Connection[]
const machinesWith = (search: Record<string, string>): Place =>
  placeInMerchant(allMerchants, { to: '/devices/list', search })

/** Machines by connection, and machines offline for a long time. */
export function Connections({ machines }: { machines: MachineStats | undefined }) {
  const { t } = useTranslation('admin-dashboard')
  const countOf = (kind: Connection) => machines?.connections.find(({ connection }) => connection === kind)?.count
  return (
    <Card title={t('connections.title')}>
      <dl className={classes.rows}>
        {connections.map((connection) => (
          <div key={connection}>
            <dt>
              <StatusBadge of={connectionLooks} value={connection} />
            </dt>
            <dd>
              <Figure count={countOf(connection)} place={machinesWith({ connections: String(connection) })} isSmall />
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('connections.withoutData', { count: withoutDataDefault })}</dt>
          <dd>
            <Figure
              count={machines?.withoutData}
              place={machinesWith({ withoutDataDays: String(withoutDataDefault) })}
              isSmall
            />
          </dd>
        </div>
        <div>
          <dt>{t('connections.hidden')}</dt>
          <dd>
            <Figure count={machines?.hidden} place={machinesWith({ hidden: 'only' })} isSmall />
          </dd>
        </div>
      </dl>
    </Card>
  )
}
