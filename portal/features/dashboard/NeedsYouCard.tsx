import { IconMoodCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Dashboard, NeedsYou } from '#contract/dashboard.ts'
import { remoteCommandTypes } from '#contract/vocabulary/remote-command.ts'
import { useFormat } from '../../app/i18n/format.ts'
import { useMerchant, useMerchantOf, useMerchants } from '../../app/merchant.tsx'
import { Card } from '../../ui/Card.tsx'
import type { Place } from '../../ui/list/types.ts'
import { alarmCriticityLooks, machineStateLooks } from '../../ui/looks.ts'
import { PlaceLink } from '../../ui/PlaceLink.tsx'
import { Badge, StatusBadge } from '../../ui/StatusBadge.tsx'
import { When } from '../../ui/When.tsx'
import { useAlarmName } from '../alarm/alarmName.ts'
import classes from './Dashboard.module.css'

/** Lines that fit the card. */
const linesShown = 6

const tabOf = {
  alarm: '/devices/$posId/pos-alarms',
  silent: '/devices/$posId',
  cashBox: '/devices/$posId',
  command: '/devices/$posId/remote-commands',
} as const satisfies Record<NeedsYou['kind'], string>

/** What wants a person now, worst first, each line leading to its machine. */
export function NeedsYouCard({ today }: { today: Dashboard | undefined }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const lines = today?.needsYou.slice(0, linesShown)
  return (
    <Card
      title={t('needs.title')}
      note={today && today.needsYouTotal > 0 ? format.number(today.needsYouTotal) : undefined}
      isFlush
      className={classes.needs}
    >
      {today && lines?.length === 0 ? (
        <div className={classes.calm}>
          <IconMoodCheck size={26} aria-hidden />
          <strong>{t('needs.none')}</strong>
          <span>{t('needs.noneText')}</span>
        </div>
      ) : (
        <ul className={classes.lines}>
          {lines?.map((line) => <Line key={`${line.kind}.${line.id}`} line={line} />) ??
            Array.from({ length: linesShown }, (_, index) => (
              // Bars without identity.
              <li key={index} className={classes.line} aria-hidden>
                <span className={classes.bone} style={{ width: 64 }} />
                <span className={classes.bone} style={{ width: `${32 + ((index * 17) % 30)}%` }} />
              </li>
            ))}
        </ul>
      )}
      {today && <Counts today={today} />}
    </Card>
  )
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

/** What the card's lines are part of, each number leading to all of it. */
function Counts({ today }: { today: Dashboard }) {
  const { t } = useTranslation('dashboard')
  const format = useFormat()
  const open = { statuses: ['active', 'notification'] }
  const counts = [
    {
      key: 'blockingAlarms',
      count: today.openBlockingAlarms,
      place: { to: '/alarms', search: { ...open, criticities: '4' } },
    },
    { key: 'soldOut', count: today.soldOut, place: { to: '/alarms', search: { ...open, search: 'ELB' } } },
    {
      key: 'fullBoxesShort',
      count: today.fullCashBoxes,
      place: { to: '/devices/list', search: { fullCashBox: 'true' } },
    },
  ].filter(({ count }) => count > 0)
  return (
    <div className={classes.counts}>
      {counts.map(({ key, count, place }) => (
        <PlaceLink key={key} place={place} className={classes.below}>
          {t(`count.${key}`, { count, number: format.number(count) })}
        </PlaceLink>
      ))}
      <PlaceLink
        place={{ to: '/devices/list', search: { states: ['blocked', 'silent', 'warning'] } }}
        className={`${classes.below} ${classes.all}`}
      >
        {t('needs.all')}
      </PlaceLink>
    </div>
  )
}
