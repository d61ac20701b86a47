import { useTranslation } from 'react-i18next'
import type { NeedsYou } from '#contract/sales/dashboard.ts'
import type { HaltedRollout } from '#contract/updates/halted-rollout.ts'
import { useMerchant, useMerchantOf, useMerchants } from '#portal/app/merchant.tsx'
import type { Place } from '#portal/app/place.ts'
import { useAlarmName } from '#portal/features/alarms/alarm/alarmName.ts'
import { HaltedRolloutLine } from '#portal/features/updates/update-rule/HaltedRolloutLine.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { posStatusLooks } from '#portal/ui/value/looks.ts'
import { PlaceLink } from '#portal/ui/value/PlaceLink.tsx'
import { StatusBadge } from '#portal/ui/value/StatusBadge.tsx'
import classes from './Dashboard.module.css'
import { unconnected } from './needs.ts'

interface Props {
  rollouts: readonly HaltedRollout[]
  machines: readonly NeedsYou[]
}

/** Halted rollouts, which wait for a decision, then the machines that need attention, each with its worst problem. */
export default function NeedsYouLines({ rollouts, machines }: Props) {
  return (
    <>
      {rollouts.map((rollout) => (
        <HaltedRolloutLine key={rollout.id} rollout={rollout} looks={classes} />
      ))}
      {machines.map((line) => (
        <Line key={line.posId} line={line} />
      ))}
    </>
  )
}

function Line({ line }: { line: NeedsYou }) {
  const { t } = useTranslation(['dashboard', 'vocabulary'])
  const alarmName = useAlarmName()
  const merchant = useMerchant()
  const { timeZone } = useMerchantOf(line.merchantId)
  const owner = useMerchants().find(({ id }) => id === line.merchantId)
  const { code, posId } = line
  const to = code === null ? '/devices/$posId' : '/devices/$posId/pos-alarms'
  const place: Place = { to, params: { posId } }
  const title = code === null ? t(`dashboard:needs.${unconnected(line)}`) : alarmName(code)
  return (
    <li className={classes.line}>
      <span className={classes.badge}>
        <StatusBadge of={posStatusLooks} value={line.posStatus} />
      </span>
      <span className={classes.what}>
        <PlaceLink place={place} panel={{ kind: 'machine', id: posId }} className={`${classes.lead} covers`}>
          {title}
        </PlaceLink>
        <span className={classes.whose}>
          {[line.posName, line.groupName, merchant.isAll && owner?.name].filter(Boolean).join(' · ')}
        </span>
      </span>
      <span className={classes.since}>
        <When at={line.since} timeZone={timeZone} />
      </span>
    </li>
  )
}
