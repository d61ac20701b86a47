import { useTranslation } from 'react-i18next'
import type { NeedsYou } from '#contract/dashboard.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { useMerchant, useMerchantOf, useMerchants } from '../../app/merchant.tsx'
import type { Place } from '../../ui/list/types.ts'
import { alarmCriticityLooks, machineStateLooks } from '../../ui/looks.ts'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { Badge, StatusBadge } from '../../ui/StatusBadge.tsx'
import { When } from '../../ui/When.tsx'
import { useAlarmName } from '../alarm/alarmName.ts'
import classes from './Dashboard.module.css'

const tabOf = {
  alarm: '/devices/$posId/pos-alarms',
  silent: '/devices/$posId',
  cashBox: '/devices/$posId',
  command: '/devices/$posId/remote-commands',
} as const satisfies Record<NeedsYou['kind'], string>

/** What each thing is that wants somebody, and where it leads. */
export default function NeedsYouLines({ lines }: { lines: readonly NeedsYou[] }) {
  return lines.map((line) => <Line key={`${line.kind}.${line.id}`} line={line} />)
}

function Line({ line }: { line: NeedsYou }) {
  const { t } = useTranslation(['dashboard', 'vocabulary'])
  const alarmName = useAlarmName()
  const merchant = useMerchant()
  const { timeZone } = useMerchantOf(line.merchantId)
  const owner = useMerchants().find(({ id }) => id === line.merchantId)
  const { kind, code, posId, merchantId } = line
  const place: Place = { to: tabOf[kind], params: { posId }, search: { merchant: merchantId } }
  const type = remoteCommandTypes[Number(code) as keyof typeof remoteCommandTypes]
  const title = {
    alarm: () => alarmName(code ?? ''),
    silent: () => t('dashboard:needs.silent'),
    cashBox: () => t('dashboard:needs.cashBox'),
    command: () => t('dashboard:needs.command', { command: type ? t(`vocabulary:commandType.${type}`) : code }),
  }[kind]()
  return (
    <li className={classes.line}>
      <span className={classes.badge}>
        {kind === 'alarm' && line.criticity !== null ? (
          <StatusBadge of={alarmCriticityLooks} value={line.criticity} />
        ) : kind === 'silent' ? (
          <StatusBadge of={machineStateLooks} value="silent" />
        ) : kind === 'cashBox' ? (
          <Badge tone="warn" mark="triangle">
            {t('dashboard:needs.badge.cashBox')}
          </Badge>
        ) : (
          <Badge tone="info" mark="dot">
            {t('dashboard:needs.badge.command')}
          </Badge>
        )}
      </span>
      <span className={classes.what}>
        <PlaceLink place={place} className={classes.lead}>
          {title}
        </PlaceLink>
        <span className={classes.whose}>
          {[line.posName, line.groupName, merchant.isAll && owner?.name].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className={classes.since}>{kind !== 'cashBox' && <When at={line.since} timeZone={timeZone} />}</span>
    </li>
  )
}
